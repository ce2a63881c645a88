import { ThermidorFailure } from '../../../plan/run/failure';
import type { TextMatching, TextQuestion } from '../../ports';
import { WorkerThread } from './worker-thread';

const TIMEOUT_MS = 15_000;

/** Matches long texts in a thread of its own (`threads/worker-thread.ts`), within a time limit. */
export class ThreadTextMatching implements TextMatching {
  constructor(private readonly timeoutMs = TIMEOUT_MS) {}

  async answers(questions: readonly TextQuestion[]): Promise<boolean[] | undefined> {
    const thread = await WorkerThread.start<readonly TextQuestion[], boolean[]>({
      script: THREAD,
      workerData: { engine: require.resolve('re2js'), formats: require.resolve('ajv-formats/dist/formats') },
      timeoutMs: this.timeoutMs,
      brokeOff: ({ message }) => new ThermidorFailure('output.too-large', `texts could not be matched against a schema: ${message}`),
    });
    try {
      return await thread.ask(questions);
    } finally {
      await thread.end();
    }
  }
}

/** A native expression that exhausts its stack does not fit. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { RE2JS } = require(workerData.engine);
const { fullFormats } = require(workerData.formats);
const known = new Map();
const testOf = (kind, expression) => {
  if (kind === 'pattern') { const engine = RE2JS.compile(expression); return (text) => engine.test(text); }
  const found = kind === 'native' ? new RegExp(expression, 'iu') : fullFormats[expression];
  const own = found.validate || found;
  return own instanceof RegExp ? (text) => own.test(text) : (text) => own(text) === true;
};
parentPort.on('message', (questions) => {
  parentPort.postMessage(questions.map(({ kind, expression, text }) => {
    const name = kind + ' ' + expression;
    if (!known.has(name)) known.set(name, testOf(kind, expression));
    try { return known.get(name)(text); } catch (error) { if (error instanceof RangeError) return false; throw error; }
  }));
});`;
