/** The package brings no types of its own. */
declare module 'asl-validator' {
  interface Problem {
    readonly 'Error code': string;
    readonly Message: string;
  }
  export default function validate(definition: unknown): {
    readonly isValid: boolean;
    readonly errors: readonly Problem[];
  };
}
