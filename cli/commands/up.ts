import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { serverFlags } from '../rendering/answer';
import { openSession, type Session } from '../session';
import { configurationOf } from '../settings';
import { untilInterrupted } from '../until-interrupted';
import { printedLog } from '../worker-log';
import { serve } from './worker';

const USUAL_PORT = 7233;

/** Server and worker until Ctrl-C. The first line of `--json` names every address. It applies no schedules by itself. */
export async function execute(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const configuration = configurationOf(invocation);
  const json = options.flag('json');
  const port = options.number('port', 1);
  if (configuration.address.value !== undefined) {
    return serve(invocation, configuration, (identity) => {
      const { value: address } = configuration.address;
      const { value: namespace } = configuration.namespace;
      terminal.out(
        json
          ? `${JSON.stringify({ address, namespace, taskQueue: configuration.taskQueue.value, identity })}\n`
          : `server  ${address} (${configuration.address.source})\n`,
      );
    });
  }
  const session = await openSession({
    configuration,
    need: 'worker',
    alwaysWork: true,
    progress: (line) => terminal.err(`${terminal.colors.dim(line)}\n`),
    log: printedLog(terminal.err, 'warn'),
    preferredPort: USUAL_PORT,
    ...(port === undefined ? {} : { port }),
  });
  try {
    terminal.out(json ? `${JSON.stringify(addresses(session))}\n` : introduction(session, terminal.colors.dim));
    await untilInterrupted(terminal);
    terminal.err('\nstopping; steps in flight get a moment to end (Ctrl-C again quits at once)\n');
  } finally {
    await session.close();
  }
  return EXIT.done;
}

function addresses({ client, embedded, configuration }: Session): Record<string, unknown> {
  return {
    address: client.address,
    ui: embedded?.uiUrl,
    namespace: client.namespace,
    taskQueue: client.taskQueue,
    stateDir: configuration.stateDir.value,
    pipelines: configuration.pipelines.value,
  };
}

function introduction({ client, embedded, configuration }: Session, dim: (text: string) => string): string {
  const lines = [
    `server     ${client.address}`,
    `web UI     ${embedded?.uiUrl ?? ''}`,
    `state      ${configuration.stateDir.value}`,
    `pipelines  ${configuration.pipelines.value.join(', ') || 'none found'}`,
    '',
    dim('Start a run from another terminal:'),
    '  thermidor run PIPELINE',
    `  temporal workflow start --task-queue ${client.taskQueue} --type PIPELINE -i '{}' ${serverFlags(client)}`,
    '',
    dim('Ctrl-C stops.'),
  ];
  return `${lines.join('\n')}\n`;
}
