// Three projects: `unit` needs nothing, `emulator` needs the running emulator and runs one file at a time (-i), `fidelity`
// starts what it needs.
const project = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  extensionsToTreatAsEsm: ['.ts'],
  // The package itself, by the names under which the examples import it.
  moduleNameMapper: {
    '^sensorium$': '<rootDir>/lib/sensorium.ts',
    '^sensorium/client$': '<rootDir>/client/index.ts',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript' },
          target: 'es2024',
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

export default {
  projects: [
    {
      ...project,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['<rootDir>/test/e2e/', '<rootDir>/test/fidelity/', '\\.emulator\\.test\\.ts$'],
    },
    {
      ...project,
      displayName: 'emulator',
      testMatch: ['<rootDir>/test/e2e/**/*.test.ts', '<rootDir>/test/**/*.emulator.test.ts'],
    },
    {
      ...project,
      displayName: 'fidelity',
      testMatch: ['<rootDir>/test/fidelity/**/*.test.ts'],
    },
  ],
  collectCoverageFrom: ['functions/core/**/*.ts'],
  coverageDirectory: '.reports/coverage',
  coverageReporters: ['text-summary', 'lcovonly'],
  coverageThreshold: { './functions/core/': { lines: 95 } },
};
