const each = require('./jest.config.cjs');

/** What `npm run chaos` proves. The soak takes two hours: only if its name is asked for. */
const isSoak = process.argv.includes('soak');

module.exports = { ...each, testMatch: [`**/test/chaos/${isSoak ? 'soak' : '!(soak)'}.proof.ts`] };
