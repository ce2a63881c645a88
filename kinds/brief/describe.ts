import type { Description } from '../../plan/steps/description';
import { fact, stepLabel } from '../../plan/steps/description-parts';
import type { BriefStep } from '../../plan/steps/step';
import { describeBrief } from './view';

export interface ShownBrief extends Pick<BriefStep, 'project' | 'briefId' | 'mode' | 'authorized' | 'toolCalls' | 'retries'> {
  kind: 'brief';
  roles: string[];
}

export const BRIEF_DESCRIPTION: Description<BriefStep, ShownBrief> = {
  data: ({ project, briefId, mode, authorized, toolCalls, retries, roles }) => ({
    ...{ kind: 'brief', project, mode, authorized, toolCalls, retries, roles: roles.map(({ id }) => id) },
    ...(briefId === undefined ? {} : { briefId }),
  }),
  line: ({ project, roles }) => `brief of ${project}: ${roles.join(', ')}`,
  facts: ({ project, briefId, mode, authorized, toolCalls, retries, roles }) => [
    ...fact('project', project),
    ...fact('brief', briefId),
    ...fact('roles', roles.join(', ')),
    ...fact('confirmed', mode === 'gated' ? 'by a person' : 'by the run'),
    ...fact('authorised', authorized.length === 0 ? 'only reading files' : authorized.join(', ')),
    ...fact('of a sub-task', `${toolCalls} calls of tools, ${retries} ${retries === 1 ? 'retry' : 'retries'}`),
  ],
  label: ({ project, roles }, view) =>
    stepLabel([view?.brief ? describeBrief(view.brief) : `${project}: ${roles.map(({ id }) => id).join(', ')}`]),
  shape: 'frame',
  frame: 'brief',
  each: 'sub-task',
};
