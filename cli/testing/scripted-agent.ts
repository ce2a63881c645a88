import { ScriptedAdapter } from '../../activities/adapters/scripted';
import type { AgentAdapter, AgentRequest } from '../../activities/agent-port';
import { SCRIPTED } from '../../activities/toolbox';
import type { Turn } from '../../records/transcripts/turn';
import { type CallLog, callAt } from './call-log';
import type { WorkMeter } from './work-meter';

/** The scripted adapter on the virtual clock: what the script delays, is delayed there, and every request is taken note of. */
export class ScriptedAgent implements AgentAdapter {
  readonly name = SCRIPTED;
  readonly affords = true;
  readonly limitsReplies = true;
  private readonly scripted: ScriptedAdapter;

  constructor(
    private readonly workflowId: string,
    private readonly calls: CallLog,
    meter: WorkMeter,
  ) {
    this.scripted = new ScriptedAdapter(meter);
  }

  async *run(request: AgentRequest, signal: AbortSignal): AsyncIterable<Turn> {
    const call = callAt(request.address, 'agent', this.workflowId, request.prompt);
    // Agents that a matter of the step goes to, or that its agent calls on, count on their own: `review@ceo_coo`, `lead>bull`.
    const other = /[@>].*$/.exec(request.stepId)?.[0] ?? '';
    this.calls.push({ ...call, path: `${call.path}${other}` });
    yield* this.scripted.run(request, signal);
  }
}
