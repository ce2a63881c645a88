import { defined } from '../../../plan/defined';
import type { StepInput } from '../../../plan/steps/step-activity';
import { runsStartedBy } from '../containers/started-runs';
import type { Run } from '../run';
import type { AgentCall } from './agent-call-spec';

/** The ended children of which their parent has no report, and the requests that the activity need not return again. */
export function newsFor(
  run: Run,
  { agent, keeps: { spawned, runRequests, decisions } }: AgentCall,
): Pick<StepInput, 'spawned' | 'runRequests' | 'decisions' | 'started'> {
  const ended = (spawned ?? []).flatMap(({ result }) => (result ? [result] : []));
  return { ...(ended.length > 0 ? { spawned: ended } : {}), ...defined({ runRequests, decisions }), ...runsStartedBy(run, agent) };
}
