import { randomInt } from 'node:crypto';
import { dirname } from 'node:path';
import { newRunId } from '../../client/run-id';
import { startRun } from '../../client/start-run';
import { defined } from '../../plan/defined';
import type { Json } from '../../plan/text/json';
import type { Configuration } from '../settings/configuration';
import { recordsOf } from '../settings/records';
import type { Terminal } from '../terminal';
import { callerFile } from './caller-file';
import { type EndedRun, followLobsterRun, type LobsterConversation } from './conversation';
import { openLobsterSession } from './open-session';
import type { RunServer } from './paused-run';
import type { Runnable } from './program';
import { retryLog } from './retry-log';
import { LobsterStateFiles, stateFolder } from './state-files';

export interface LobsterRunOrder {
  runnable: Runnable;
  args: Record<string, Json>;
  mode: 'human' | 'tool';
  configuration: Configuration;
  terminal: Terminal;
}

/**
 * Starts a durable run and follows it. `deliver` gets the result while server and worker still run: they are closed after the caller has
 * its answer.
 */
export async function startRunAndFollow(order: LobsterRunOrder, deliver: (ended: EndedRun) => void): Promise<void> {
  const { runnable, args, mode, configuration, terminal } = order;
  const { plan, planText, blobs } = runnable.compiled;
  const store = recordsOf(configuration).artifacts;
  const run = newRunId(plan.name, new Date(), (limit) => randomInt(limit));
  const caller = callerFile(configuration, run, terminal);
  // The server takes longest to start: work that does not need it is done meanwhile.
  const opening = openLobsterSession(configuration, terminal, dirname(runnable.path ?? `${terminal.cwd}/.`));
  const storing = Promise.all([
    recordsOf(configuration).control.put('plan', planText, `${plan.name}.plan.json`),
    caller.write(),
    ...[...blobs.values()].map(({ content, mediaType, name }) => store.put(content, { mediaType, name })),
  ]);
  // It is awaited below, with the session.
  storing.catch(() => undefined);
  const session = await opening;
  try {
    const [planRef] = await storing;
    // The client of the server is loaded by now, and not before: nothing waits for it while the server comes up.
    const { client } = session;
    await startRun(client, {
      workflowId: run,
      pipeline: plan.name,
      args,
      plan: planRef,
      ...defined({ description: plan.description }),
    });
    const talk: LobsterConversation = {
      client,
      store,
      terminal,
      run,
      plan,
      kind: runnable.kind,
      mode,
      files: new LobsterStateFiles(stateFolder(terminal.env)),
      caller,
      server: serverOf(configuration),
      retries: await retryLog({ client, store, run, plan, fresh: true }, (line) => terminal.err(line)),
      ...defined({ filePath: runnable.path }),
    };
    deliver(await followLobsterRun(talk));
  } finally {
    await session.close();
  }
}

function serverOf({ root, stateDir, address, namespace, taskQueue }: Configuration): RunServer {
  return {
    root,
    stateDir: stateDir.value,
    namespace: namespace.value,
    taskQueue: taskQueue.value,
    ...defined({ address: address.value }),
  };
}
