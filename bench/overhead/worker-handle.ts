import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { answerOf } from '../answer-of';
import { profiling } from '../compile/stage';
import { isFromWorker, type ToWorker, type WorkerSpec } from './worker-messages';

/** A worker process, as the bench sees it. */
export interface WorkerHandle {
  /** CPU time that the process has used since it began, in milliseconds. */
  cpuMs(): Promise<number>;
  /** Never resolves. Rejects if the process ends without a request. */
  lost: Promise<never>;
  stop(): Promise<void>;
}

/** Starts a worker process and waits until it polls. */
export async function startWorkerProcess(spec: WorkerSpec, profileDir?: string): Promise<WorkerHandle> {
  const child = fork(join(__dirname, 'worker-process.js'), [JSON.stringify(spec)], {
    execArgv: profiling(profileDir),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const lost = ended.then((code): never => {
    throw new Error(`the worker of ${spec.taskQueue} ended with ${code ?? 'a signal'}`);
  });
  // The caller that awaits this worker gets the error; nobody may be waiting yet.
  lost.catch(() => undefined);
  await Promise.race([answerOf(child, isFromWorker, 'ready'), lost]);
  return {
    lost,
    async cpuMs() {
      const answered = answerOf(child, isFromWorker, 'cpu');
      sendMessage(child, { kind: 'cpu' });
      const { cpuMs } = await Promise.race([answered, lost]);
      return cpuMs;
    },
    async stop() {
      if (child.connected) sendMessage(child, { kind: 'stop' });
      await ended;
    },
  };
}

function sendMessage(child: ChildProcess, message: ToWorker): void {
  child.send(message);
}
