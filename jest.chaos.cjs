const each = require('./jest.config.cjs');

/** What `npm run chaos` proves. The soak takes two hours: only if its name is asked for. */
const PROOFS = ['chaos', 'rolling', 'scale'];
const named = [...PROOFS, 'soak'].filter((name) => process.argv.includes(name));

module.exports = { ...each, testMatch: (named.length > 0 ? named : PROOFS).map((name) => `**/test/chaos/${name}.proof.ts`) };
