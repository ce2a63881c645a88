// Runs `npm test` with the sweep: every place, seed and case that it leaves out otherwise. Arguments are passed on to jest.
import { spawnSync } from 'node:child_process';

const { npm_execpath: npm, ...rest } = process.env;
const [program, ...before] = npm ? [process.execPath, npm] : ['npm'];
const { status, error } = spawnSync(program, [...before, 'test', '--', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...rest, THERMIDOR_SWEEP: 'all' },
});
if (error) throw error;
process.exitCode = status ?? 1;
