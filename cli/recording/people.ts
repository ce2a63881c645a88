import type { ScriptedPerson } from '../../plan/agents/script';
import { defined } from '../../plan/defined';
import type { JournalEntry } from '../../plan/run/journal';
import { parseAddress } from '../../plan/steps/address';
import { copyField } from '../../plan/text/spelled-json';

/** The decisions of people in a run, in order, as script entries; and those that a script cannot play. */
export interface RecordedPeople {
  people: ScriptedPerson[];
  left: string[];
}

/** Delays are left out. Decisions of a chain's agents, and those of a gate whose time ran out, happen again by themselves. */
export function recordedPeople(entries: readonly JournalEntry[]): RecordedPeople {
  const recorded: RecordedPeople = { people: [], left: [] };
  for (const entry of entries) {
    if (entry.kind === 'budget' && entry.by !== undefined) recorded.left.push(`${entry.by} extended a budget (${entry.reason})`);
    if (entry.kind !== 'decision') continue;
    const { step, decision } = entry;
    if (decision.via !== 'signal' && decision.via !== 'update') continue;
    const { choice, by, comment } = decision;
    if (BUDGET_CHOICES.includes(choice) || !parseAddress(step)) {
      recorded.left.push(`${by ?? 'somebody'} decided "${choice}" at ${step}`);
      continue;
    }
    const person: ScriptedPerson = { gate: step, choice: plainChoice(choice), ...defined({ by, comment: comment || undefined }) };
    if (person.choice === 'respond') {
      if (decision.value === undefined) person.response = choice;
      else copyField(decision, 'value', person, 'response');
    }
    recorded.people.push(person);
  }
  return recorded;
}

const PLAIN = ['approve', 'reject', 'revise'] as const;
/** A person of a script can neither raise a budget nor end the run. */
const BUDGET_CHOICES: readonly string[] = ['extend_budget', 'abort'];

function plainChoice(choice: string): ScriptedPerson['choice'] {
  return PLAIN.find((known) => known === choice) ?? 'respond';
}
