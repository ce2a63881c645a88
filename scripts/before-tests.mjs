// Runs lint, types and build before the tests, in parallel: each leaves cores idle for a part of its time. The output of each is printed in
// one piece.
import { spawn } from 'node:child_process';

/**
 * tsc in one thread: several check what they share several times, and the other steps have the cores. The build leaves it to `types` to
 * check its files; that product code uses no types of Jest, which are in scope there, lint sees.
 */
const STEPS = { lint: [], types: ['--singleThreaded'], build: ['--singleThreaded', '--noCheck'] };

function run([step, options]) {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', step, '--', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
    const printed = [];
    child.stdout.on('data', (piece) => printed.push(piece));
    child.stderr.on('data', (piece) => printed.push(piece));
    child.on('error', (error) => resolve({ step, failed: true, printed: error.message }));
    child.on('close', (code) => resolve({ step, failed: code !== 0, printed: Buffer.concat(printed).toString() }));
  });
}

const ended = await Promise.all(Object.entries(STEPS).map(run));
for (const { printed } of ended) process.stdout.write(printed);
const failed = ended.filter((one) => one.failed).map(({ step }) => step);
if (failed.length > 0) {
  process.stderr.write(`failed: ${failed.map((step) => `npm run ${step}`).join(', ')}\n`);
  process.exitCode = 1;
}
