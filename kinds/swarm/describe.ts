import { defined } from '../../plan/defined';
import { fillForm } from '../../plan/expressions/form';
import { type Action, describeActions } from '../../plan/steps/action';
import type { Description } from '../../plan/steps/description';
import { fact, stepLabel } from '../../plan/steps/description-parts';
import type { SwarmStep } from '../../plan/steps/step';
import { duration } from '../../plan/text/duration';
import type { Json } from '../../plan/text/json';
import { VERIFY_PART } from './model';
import { describeSwarm } from './view';

export interface ShownSwarm {
  kind: 'swarm';
  issue?: Json;
  affected: string[];
  agents: { name: string; perspective: string }[];
  pausesOthers: boolean;
  fixer?: string;
  verify: string;
  tests?: string;
  rounds: number;
  diagnosisWithinMs: number;
  onFail: Action[];
}

export const SWARM_DESCRIPTION: Description<SwarmStep, ShownSwarm> = {
  data: ({ id, matter, affected, agents, pausesOthers, fixer, rounds, timeoutMs, onFail, parts }, words) => {
    const check = parts.find((part) => part.id === `${id}_${VERIFY_PART}`);
    const command = check?.kind === 'command' ? check : undefined;
    return {
      kind: 'swarm',
      ...defined({ issue: matter && fillForm(matter, (template) => words.value(template)) }),
      ...{ affected, agents: agents.map(({ name, perspective }) => ({ name, perspective })), pausesOthers, rounds, onFail },
      verify: command && 'shell' in command.command ? words.shell(command.command.shell, false) : '',
      diagnosisWithinMs: timeoutMs,
      ...defined({ fixer, tests: command?.tests?.format }),
    };
  },
  line: ({ agents }) => `all diagnose: ${agents.map(({ name }) => name).join(', ')}`,
  facts: ({ issue, affected, agents, pausesOthers, fixer, verify, tests, rounds, diagnosisWithinMs, onFail }) => [
    ...fact('issue', issue === undefined ? 'what an action passes on' : textOf(issue)),
    ...fact('affected', affected.join(', ')),
    ...fact('perspectives', agents.map(({ name, perspective }) => `${name}: ${perspective}`).join(', ')),
    ...fact('others', pausesOthers ? 'are paused in the meantime' : 'continue in the meantime'),
    ...fact('fixed by', fixer ?? 'the author of the best diagnosis'),
    ...fact('solved when', tests === undefined ? verify : `${verify}, whose tests are read as ${tests}`),
    ...fact('rounds', `at most ${rounds}, ${duration(diagnosisWithinMs)} for the diagnoses of each`),
    ...fact('on fail', describeActions(onFail)),
  ],
  label: ({ agents }, view) => stepLabel([view?.swarm ? describeSwarm(view.swarm) : `${agents.length} agents diagnose`]),
  shape: 'frame',
  frame: 'swarm',
};

function textOf(issue: Json): string {
  return typeof issue === 'string' ? issue : JSON.stringify(issue, null, 2);
}
