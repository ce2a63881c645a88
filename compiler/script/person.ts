import type { ScriptedPerson } from '../../plan/agents/script';
import { parseAddress } from '../../plan/steps/address';
import { setSpelled } from '../../plan/text/spelled-json';
import type { Located, Report } from '../diagnostics/diagnostic';
import { spelledOf } from '../read/json';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../read/node';
import { checkKeys, requireKey } from '../shape/keys';
import { mappingOf, textOf, wrongType } from '../shape/values';
import { readDelay } from './delay';

const CHOICES = ['approve', 'reject', 'revise', 'respond'] as const;

/** Reads one entry under `people:`: which gate, when, and the decision. Its place is the gate's name. */
export function readPerson(node: SourceNode, report: Report): Located<ScriptedPerson> | undefined {
  if (node.kind !== 'mapping') return wrongType(node, 'people', 'a list of entries such as {gate, approve}', report);
  checkKeys(node, { what: 'what a person does', known: ['gate', 'after', ...CHOICES] }, report);
  requireKey(node, 'gate', 'what a person does', report, 'add `gate:` with the id of the gate’s step');
  const [gateEntry, after] = [entryOf(node, 'gate'), entryOf(node, 'after')];
  const gate = gateEntry && textOf(gateEntry, report);
  if (gate && !parseAddress(gate.value)) {
    report(
      'script.bad-person',
      gate.at,
      `"${gate.value}" names no gate`,
      'write the id of its step, with a round if you mean one: review#3',
    );
  }
  const [chosen, another] = node.entries.filter(({ key }) => CHOICES.some((choice) => choice === key));
  if (!chosen) report('script.bad-person', gateEntry?.keyAt ?? node.at, 'nothing is decided', 'add approve, reject, revise or respond');
  if (chosen && another)
    report('script.bad-person', another.keyAt, `"${another.key}" cannot be combined with "${chosen.key}"`, 'keep one of the two');
  const afterMs = after && readDelay(after, report);
  const choice = CHOICES.find((candidate) => candidate === chosen?.key);
  const person: ScriptedPerson = { gate: gate?.value ?? '', choice: choice ?? 'approve' };
  if (afterMs !== undefined) person.afterMs = afterMs;
  if (chosen?.key === 'respond') readResponse(chosen, person, report);
  else if (chosen) readWords(chosen, person, report);
  return gate && choice ? { value: person, at: gate.at } : undefined;
}

/** Reads `respond: {response, by}` at a gate that asks for a value; or the answer itself, if it is no mapping that says who gives it. */
function readResponse({ value }: Entry, person: ScriptedPerson, report: Report): void {
  const answer = value.kind === 'mapping' ? entryOf(value, 'response') : undefined;
  setSpelled(person, 'response', spelledOf(answer?.value ?? value));
  if (value.kind !== 'mapping' || !answer) return;
  checkKeys(value, { what: '"respond"', known: ['response', 'by', 'comment'] }, report);
  readSayer(value, person, report);
}

/** Reads `{by, comment}`, or an empty value. */
function readWords(entry: Entry, person: ScriptedPerson, report: Report): void {
  if (entry.value.kind === 'scalar' && entry.value.value === null) return;
  const body = mappingOf(entry, report, 'a mapping {by, comment}, or empty');
  if (!body) return;
  checkKeys(body, { what: `"${entry.key}"`, known: ['by', 'comment'] }, report);
  readSayer(body, person, report);
}

function readSayer(body: MappingNode, person: ScriptedPerson, report: Report): void {
  const [by, comment] = [entryOf(body, 'by'), entryOf(body, 'comment')];
  const who = by && textOf(by, report);
  if (who) person.by = who.value;
  const words = comment && textOf(comment, report);
  if (words) person.comment = words.value;
}
