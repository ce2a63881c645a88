import { defined } from '../../../plan/defined';
import type { Template } from '../../../plan/expressions/expression';
import { isLateStage, modelUse, type Stage } from '../../../plan/stages/stage';
import type { CommandStep, StagesStep } from '../../../plan/steps/step';
import type { Report } from '../../diagnostics/diagnostic';
import { warnOfLength } from '../../lower/value-lengths';
import { jsonOf } from '../../read/json';
import { type Entry, entryOf, type ScalarNode } from '../../read/node';
import { spansWithin } from '../../read/offsets';
import { parseStages } from '../pipe/stages';
import { wholeReference } from '../text/references';
import { call } from '../text/results';
import { textTemplate, valueTemplate } from '../text/template';
import { type LobsterContext, type LobsterScope, namesAt, type StepDraft } from './context';
import { commandEnvironmentOf } from './environment';

/** Steps that do something themselves: run a command or a pipe of stages, or only pass on what they are given. */
export function commandStep(text: ScalarNode, { node, base, place, templates, context }: StepDraft): CommandStep {
  const shell = textTemplate(text.text, namesAt(text, place, context));
  warnOfLength('the command line, its values included,', shell, text.at, context);
  const stdin = shellInput(entryOf(node, 'stdin'), place, context);
  const surroundings = commandEnvironmentOf(place, templates, context);
  templates.push(shell, ...(stdin ? [stdin] : []));
  return { ...base, kind: 'command', command: { shell, raw: true }, ...surroundings, ...defined({ stdin }) };
}

export function pipeStep(text: ScalarNode, { node, base, place, templates, context }: StepDraft): StagesStep {
  const stages = stagesIn(text, base.as ?? base.id, place, context);
  const stdin = valueInput(entryOf(node, 'stdin'), place, context);
  const surroundings = commandEnvironmentOf(place, templates, context);
  for (const stage of stages) templates.push(...templatesIn(stage));
  templates.push(...(stdin ? [stdin] : []));
  return { ...base, kind: 'stages', stages, ...modelUse(stages), ...surroundings, ...defined({ stdin }) };
}

function templatesIn(stage: Stage): Template[] {
  return isLateStage(stage) ? [stage.name, ...stage.rest] : [...stage.words, ...Object.values(stage.flags)];
}

/** A step without an executor outputs what its `stdin` says: an approval that is alone asks about that. */
export function handOnStep({ node, base, place, templates, context }: StepDraft): StagesStep {
  const stdin = valueInput(entryOf(node, 'stdin'), place, context);
  if (stdin) templates.push(stdin);
  return { ...base, kind: 'stages', stages: [], ...defined({ stdin }) };
}

function stagesIn(text: ScalarNode, id: string, place: LobsterScope, context: LobsterContext): StagesStep['stages'] {
  const spotOf = spansWithin(text);
  // Names are looked up word by word, but reported once, at their place in the whole text.
  textTemplate(text.text, namesAt(text, place, context));
  const quiet = { args: context.args, results: place.results, unknown: () => {} };
  const { stages, faults } = parseStages(text.text, (word) => textTemplate(word, quiet));
  for (const { code, start, end, message, hint } of faults) {
    const says = code === 'lobster.pipe-syntax' ? `Workflow step ${id} pipeline parse failed: ${message}` : message;
    context.report(code, spotOf(start, end), says, hint);
  }
  return stages;
}

/** `stdin` with its type: a template of one expression is that value, any other is text. */
export function valueInput(entry: Entry | undefined, place: LobsterScope, context: LobsterContext): Template | undefined {
  if (!entry || (entry.value.kind === 'scalar' && entry.value.value === null)) return undefined;
  const { value: node } = entry;
  if (node.kind === 'scalar' && typeof node.value === 'string') {
    const template = valueTemplate(node.text, namesAt(node, place, context));
    if (!template) reportUnknown(node, context.report);
    return template;
  }
  return [{ kind: 'literal', value: jsonOf(node) }];
}

/** `stdin` as a command gets it: texts unchanged, everything else as JSON. */
function shellInput(entry: Entry | undefined, place: LobsterScope, context: LobsterContext): Template | undefined {
  const template = valueInput(entry, place, context);
  const [only] = template ?? [];
  if (!template || only === undefined || typeof only === 'string' || template.length > 1) return template;
  if (only.kind === 'literal') return [typeof only.value === 'string' ? only.value : JSON.stringify(only.value)];
  return only.kind === 'call' && only.function === 'lobster.arg' ? template : [call('text', only)];
}

/** Reports a value that is one reference to a step which has no result there. */
export function reportUnknown(node: ScalarNode, report: Report): void {
  const reference = wholeReference(node.text);
  if (!reference) return;
  const { start, written, id, path } = reference;
  const message = `Unknown step reference: ${id}.${path.join('.')}`;
  report('lobster.unknown-step', spansWithin(node)(start, start + written.length), message, 'name an earlier step');
}
