// Health of a worker's container: exits 0 when a Thermidor worker runs in it and the Temporal server takes connections
// from here. It does not show that tasks are being worked on: the worker has no health endpoint yet.
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';

const CONNECT_TIMEOUT_MS = 5_000;

/** The words of a process's command line; none where the process has ended meanwhile. */
function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return [];
    throw error;
  }
}

/** Not the process 1 alone: with an init in front the worker is its child. */
function workerRuns() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids
    .map(commandLine)
    .some((words) => words.includes('worker') && words.some((word) => /(^|\/)(thermidor|cli\/main\.js)$/.test(word)));
}

/** What stops a connection to `host:port`, undefined where it stands. */
function connectionProblem(address) {
  const [, host, port] = /^(.*?)(?::(\d+))?$/.exec(address);
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port ?? 7233), timeout: CONNECT_TIMEOUT_MS });
    const settle = (problem) => {
      socket.destroy();
      resolve(problem && `no connection to the Temporal server at ${address}: ${problem}`);
    };
    socket.once('connect', () => settle());
    socket.once('timeout', () => settle('timed out'));
    socket.once('error', (error) => settle(error.message));
  });
}

const address = process.env.TEMPORAL_ADDRESS;
const problem = workerRuns()
  ? address
    ? await connectionProblem(address)
    : 'TEMPORAL_ADDRESS is not set'
  : 'no thermidor worker runs in this container';
if (problem) console.error(problem);
process.exitCode = problem ? 1 : 0;
