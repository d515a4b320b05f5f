import pkg from '../package.json' with { type: 'json' };

console.log(pkg.version);
