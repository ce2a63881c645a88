import type { CallbackListener } from '../../client/callbacks/listen';
import { defined } from '../../plan/defined';
import type { WatchListener } from '../../worker/watch-listener';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { serverFlags } from '../rendering/answer';
import { warnUnservedOfFolder } from '../serving/check-served';
import { callbacksBeside } from '../session/callbacks';
import { endsInTime } from '../session/ends-in-time';
import { countForAll, STOPS, watchedBy, withMetrics } from '../session/metrics';
import { requireStore } from '../session/require-store';
import { keepRetention } from '../session/retention';
import { openSession, type Session } from '../session/session';
import { printedLog } from '../session/worker-log';
import type { Configuration } from '../settings/configuration';
import { shownStore } from '../settings/records';
import { configurationOf } from '../settings/settings';
import { warnStaleTriggers } from '../triggers/trigger-news';
import { waitForInterrupt } from '../wait-for-interrupt';
import { serve } from './worker';

const USUAL_PORT = 7233;

/**
 * Runs the server, a worker and the listener for answers until Ctrl-C. The first line of `--json` names every address. It applies no
 * schedules by itself.
 */
export async function execute(invocation: Invocation): Promise<number> {
  const configuration = configurationOf(invocation);
  if (configuration.address.value !== undefined) return upAtAddress(invocation, configuration);
  return endsInTime(invocation.terminal, configuration, () =>
    withMetrics(invocation, configuration, (watch) => upHere(invocation, configuration, watch)),
  );
}

async function upHere(invocation: Invocation, configuration: Configuration, watch: WatchListener | undefined): Promise<number> {
  const { options, terminal } = invocation;
  const json = options.flag('json');
  const port = options.number('port', 1);
  const session = await openSession({
    configuration,
    need: 'worker',
    begins: true,
    alwaysWork: true,
    progress: (line) => terminal.err(`${terminal.colors.dim(line)}\n`),
    log: printedLog(terminal.logErr, 'warn'),
    preferredPort: USUAL_PORT,
    ...defined({ port }),
    ...watchedBy(watch),
  });
  watch?.report('worker');
  let listener: CallbackListener | undefined;
  try {
    listener = await callbacksBeside(invocation, configuration, session.client);
    await warnUnservedOfFolder(configuration, terminal);
    await warnStaleTriggers(session, terminal);
    terminal.out(json ? `${JSON.stringify(addresses(session, listener))}\n` : introduction(session, listener, terminal.colors.dim));
    const endCounting = countForAll(watch, configuration, () => session.client.address, printedLog(terminal.logErr));
    const endRetention = keepRetention(configuration, () => session.client.address, printedLog(terminal.logErr, 'warn'));
    await waitForInterrupt(terminal);
    watch?.report('worker', STOPS);
    await Promise.all([endCounting(), endRetention()]);
    terminal.err('\nstopping; steps in flight get a moment to end (Ctrl-C again quits at once)\n');
  } finally {
    await listener?.close();
    await session.close();
  }
  return EXIT.done;
}

/** Worker and listener of a server that runs elsewhere. */
async function upAtAddress(invocation: Invocation, configuration: Configuration): Promise<number> {
  const { options, terminal } = invocation;
  const { value: address, source } = configuration.address;
  const { value: namespace } = configuration.namespace;
  await requireStore(configuration);
  const session = await openSession({ configuration, need: 'server', progress: () => undefined });
  let listener: CallbackListener | undefined;
  try {
    listener = await callbacksBeside(invocation, configuration, session.client);
    const callbacks = listener?.url;
    await warnStaleTriggers(session, terminal);
    return await serve(invocation, configuration, (identity) =>
      terminal.out(
        options.flag('json')
          ? `${JSON.stringify({ address, namespace, taskQueue: configuration.taskQueue.value, identity, callbacks, pid: process.pid })}\n`
          : `server     ${address} (${source})\n${callbacks === undefined ? '' : `callbacks  ${callbacks}\n`}process    ${process.pid}\n`,
      ),
    );
  } finally {
    await listener?.close();
    await session.close();
  }
}

function addresses({ client, embedded, configuration }: Session, listener: CallbackListener | undefined): Record<string, unknown> {
  return {
    address: client.address,
    ui: embedded?.uiUrl,
    callbacks: listener?.url,
    namespace: client.namespace,
    taskQueue: client.taskQueue,
    stateDir: configuration.stateDir.value,
    store: shownStore(configuration),
    pipelines: configuration.pipelines.value,
    pid: process.pid,
  };
}

function introduction(
  { client, embedded, configuration }: Session,
  listener: CallbackListener | undefined,
  dim: (text: string) => string,
): string {
  const lines = [
    `server     ${client.address}`,
    `web UI     ${embedded?.uiUrl ?? ''}`,
    ...(listener === undefined ? [] : [`callbacks  ${listener.url}`]),
    `state      ${configuration.stateDir.value}`,
    ...(configuration.store.value === undefined ? [] : [`store      ${shownStore(configuration)}`]),
    `pipelines  ${configuration.pipelines.value.join(', ') || 'none found'}`,
    `process    ${process.pid}`,
    '',
    dim('Start a run from another terminal:'),
    '  thermidor run PIPELINE',
    `  temporal workflow start --task-queue ${client.taskQueue} --type PIPELINE -i '{}' ${serverFlags(client)}`,
    '',
    dim('Ctrl-C stops.'),
  ];
  return `${lines.join('\n')}\n`;
}
