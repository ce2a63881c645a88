import { gate } from '../../activities/gates/render-gate';
import type { CommandRequest } from '../../activities/ports';
import type { RecordedApproval } from '../../plan/people/category';
import type { GateInput } from '../../plan/people/gate-activities';
import type { CommandStep } from '../../plan/steps/step';
import { KEY, outputTemplate, type Workshop, workshop } from './workshop';

/** A step with a category: a command that deploys, what the gate before it shows, and the approval that it needs. */

export const DEPLOY: CommandStep = {
  id: 'deploy',
  kind: 'command',
  category: 'deploy',
  command: { shell: ['deploy ', ...outputTemplate('plan', 'target')] },
  env: { REGION: ['eu'] },
};
export const INPUT = { run: KEY.run };

interface Ran {
  shop: Workshop;
  ran: CommandRequest[];
}

export function shopWithShell(): Ran {
  const ran: CommandRequest[] = [];
  const processes = {
    run: async (request: CommandRequest) => {
      ran.push(request);
      return { stdout: 'done', stderr: '' };
    },
  };
  return { shop: workshop({ processes }), ran };
}

export async function planned(shop: Workshop, target: string): Promise<Pick<GateInput, 'run' | 'inputs'>> {
  const plan = await shop.artifacts.put(JSON.stringify({ target }), { mediaType: 'application/json', name: 'plan.json' });
  return { ...INPUT, inputs: { plan } };
}

export async function shown(shop: Workshop, step: string, input: Omit<GateInput, 'category'>) {
  const rendered = await gate(shop.toolbox, shop.call(`${step}#1~1/gate`), { ...input, category: 'deploy' });
  const document = (await shop.artifacts.get(rendered.document)).toString();
  return { ...rendered, document, contentSha256: rendered.contentSha256 ?? '' };
}

export function yes(contentSha256: string, more: Partial<RecordedApproval> = {}): RecordedApproval {
  return { id: 'deploy#1~1/approval-1', category: 'deploy', contentSha256, approved: true, by: 'chairman', ...more };
}
