import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import type { ChainResult } from '../../plan/steps/container-activities';
import type { Readable } from '../../plan/steps/step-activity';
import type { ActivityCall } from '../activity-call';
import { withDeadline } from '../deadline';
import { notify } from '../gates/notify';
import { stages } from '../stages/stages-activity';
import type { Toolbox } from '../toolbox';
import type { ChainLink } from './chain-link';

/** How long one attempt of a message may take, in a chain or alone. */
const MESSAGE_MS = 30_000;

/**
 * The work of a step that is no command, by the code of its own activity: under its own address, where the ledger has its finished parts.
 * Undefined if only an activity of its own can continue it.
 */
export async function byOwnActivity(
  toolbox: Toolbox,
  call: ActivityCall,
  { id, step, input }: ChainLink,
  readable: Readable,
): Promise<ChainResult | undefined> {
  // The chain's own heartbeat says how far it is.
  const own: ActivityCall = { ...call, id, heartbeat: () => undefined };
  const given = { ...input, ...readable };
  if ('message' in step) {
    const { run, inputs, records, loops, end } = given;
    const message = {
      run,
      channel: step.channel,
      ...defined({ inputs, records, loops, end }),
    };
    const late = () => new ThermidorFailure('channel.unavailable', `${step.channel} did not take the message within ${MESSAGE_MS} ms`);
    const sent = await withDeadline(call.signal, { ms: MESSAGE_MS, error: late, timer: toolbox.timer }, (signal) =>
      notify(toolbox, { ...own, signal }, message),
    );
    return { output: {}, message: sent.message, ...defined({ begun: sent.begun }) };
  }
  const pipe = await stages(toolbox, own, given);
  return pipe.kind === 'done' ? { output: pipe.output, ...defined({ begun: pipe.begun }) } : undefined;
}
