import { ScriptedAdapter } from '../../activities/adapters/scripted';
import type { AgentAdapter, AgentRequest, Turn } from '../../activities/ports';
import { SCRIPTED } from '../../activities/toolbox';
import { replyFits, type ScriptedReply } from '../../plan/script';
import { type CallLog, callAt } from './call-log';
import type { WorkMeter } from './work-meter';

/** The scripted adapter on the virtual clock: what the script delays, is delayed there, and every request is taken note of. */
export class ScriptedAgent implements AgentAdapter {
  readonly name = SCRIPTED;
  private readonly scripted = new ScriptedAdapter();

  constructor(
    private readonly workflowId: string,
    private readonly calls: CallLog,
    private readonly meter: WorkMeter,
  ) {}

  async *run(request: AgentRequest, signal: AbortSignal): AsyncIterable<Turn> {
    this.calls.push(callAt(request.address, 'agent', this.workflowId, request.prompt));
    const reply = replyFor(request);
    if (reply?.afterMs) await this.meter.sleep(reply.afterMs, signal);
    if (reply?.reply.kind === 'hang') await this.meter.forever(signal);
    yield* this.scripted.run(reply ? { ...request, script: onlyReply(request, reply) } : request, signal);
  }
}

function replyFor({ script, stepId, address, ask, iterations = [] }: AgentRequest): ScriptedReply | undefined {
  const replies = script && Object.hasOwn(script.replies, stepId) ? script.replies[stepId] : undefined;
  return replies?.find((reply) => replyFits(reply, { round: address.round, try: address.try, ask, iterations }));
}

/** The script with this one reply, which comes at once. */
function onlyReply({ script, stepId }: AgentRequest, { afterMs: _waited, ...reply }: ScriptedReply): NonNullable<AgentRequest['script']> {
  return { name: script?.name ?? 'test', people: [], replies: { [stepId]: [reply] } };
}
