import { defined } from '../../../plan/defined';
import { hasPeople } from '../../../plan/people/people';
import { APPROVALS_CHANNEL } from '../../../plan/plan';
import type { EscalationTarget } from '../../../plan/steps/action';
import type { Located } from '../../diagnostics/diagnostic';
import { didYouMean } from '../../diagnostics/suggest';
import { ANYONE } from '../../language/patterns';
import type { TargetSource } from '../../shape/target';
import { useChannel } from '../context';
import type { LowerContext } from '../lower-context';

/**
 * People and groups as a pipeline names them. Groups are expanded here, so that a run keeps those who were members when it was
 * planned. If the settings declare nobody, every name is accepted as it is.
 */
export function approversOf(names: readonly Located<string>[], context: LowerContext): { approvers: string[]; allKnown: boolean } {
  const approvers = new Set<string>();
  const written = new Set<string>();
  let allKnown = true;
  for (const { value, at } of names) {
    const members = membersOf(value, context);
    if (!members) {
      allKnown = false;
      const hint = () => didYouMean(value, knownNames(context), `known: ${[...knownNames(context)].slice(0, LISTED).join(', ')}`);
      context.report('people.unknown', at, `"${value}" is neither a person nor a group of the settings`, hint);
    } else if (written.has(value) || (members.length === 1 && approvers.has(value))) sayTwice(value, at, context);
    written.add(value);
    for (const member of members ?? [value]) approvers.add(member);
  }
  sayBeside(names, context);
  for (const name of approvers) context.namedPeople.add(name);
  return { approvers: [...approvers], allKnown };
}

/** Where the file says that anyone may decide. */
export function anyoneIn(names: readonly Located<string>[] | undefined): Located<string> | undefined {
  return names?.find(({ value }) => value === ANYONE);
}

/** The approvers of every channel that names somebody. The settings win over the pipeline. */
export function channelApprovers(context: LowerContext): Map<string, string[]> {
  const { pipeline, installation } = context;
  const found = new Map([...pipeline.channelApprovers].map(([channel, names]) => [channel, approversOf(names, context).approvers]));
  const expanded = (name: string) => membersOf(name, context) ?? [name];
  for (const [channel, names] of Object.entries(installation.approvers ?? {})) found.set(channel, [...new Set(names.flatMap(expanded))]);
  return found;
}

/** Who decides at a gate in a channel that names nobody. */
export function approversIn(channel: string | undefined, { approvers, namedPeople }: LowerContext): string[] | undefined {
  const found = channel === undefined ? undefined : approvers.get(channel);
  for (const name of found ?? []) namedPeople.add(name);
  return found && [...found];
}

/** Somebody in a channel whose name is not known. */
export function anyApprover(channel: Located<string> | undefined, context: LowerContext): EscalationTarget {
  if (channel) useChannel(channel, context);
  const approvers = approversIn(channel?.value ?? APPROVALS_CHANNEL, context);
  return { kind: 'human', ...defined({ channel: channel?.value, approvers }) };
}

/** How many names a hint lists. */
const LISTED = 20;

/** Reports a person who is named next to a group that holds them. */
function sayBeside(names: readonly Located<string>[], context: LowerContext): void {
  const { groups } = context.installation.directory;
  const seen = new Set<string>();
  for (const { value, at } of names) {
    if (!isGroup(value, context)) {
      seen.add(value);
      continue;
    }
    for (const member of groups[value] ?? []) if (seen.has(member)) sayTwice(member, at, context);
  }
}

function sayTwice(name: string, at: Located<string>['at'], context: LowerContext): void {
  context.report('gate.same-approver', at, `"${name}" is named twice, and counts once`, 'remove one of the two');
}

/** The members of a person or group of that name; undefined if people are declared and this is not one of them. */
function membersOf(name: string, context: LowerContext): readonly string[] | undefined {
  const { directory } = context.installation;
  if (isGroup(name, context)) return directory.groups[name];
  return Object.hasOwn(directory.people, name) || !hasPeople(directory) ? [name] : undefined;
}

function isGroup(name: string, { installation }: LowerContext): boolean {
  return Object.hasOwn(installation.directory.groups, name);
}

function knownNames({ installation: { directory } }: LowerContext): Set<string> {
  return new Set([...Object.keys(directory.people), ...Object.keys(directory.groups)]);
}

/** An entry of the chain, or what `escalate(…)` names: an agent, a person, a group, or anybody. */
export function lowerTarget(target: TargetSource, context: LowerContext): EscalationTarget {
  const { decides } = target;
  if (target.kind === 'human') {
    checkDecider('human', decides, context);
    return anyApprover(target.channel, context);
  }
  const { id } = target;
  const { directory } = context.installation;
  const people = hasPeople(directory) ? membersOf(id.value, context) : undefined;
  if (people) {
    if (context.agents.has(id.value))
      context.report('names.clash', id.at, `an agent and a person or group are called "${id.value}"`, 'rename one of the two');
    checkDecider(id.value, decides, context);
    for (const name of people) context.namedPeople.add(name);
    return { kind: 'human', name: id.value, people: [...people] };
  }
  const message = `"${id.value}" is to be escalated to, but is not defined`;
  context.agents.named(id, 'agent.unknown', message, () => knownNames(context));
  context.namedAgents.add(id.value);
  return { kind: 'agent', id: id.value, decides: decides?.value ?? 'human' };
}

/** Checks `decides`: a person always decides; for an agent it has to be said. */
function checkDecider(name: string, decides: TargetSource['decides'], { report }: LowerContext): void {
  if (decides?.value !== 'agent') return;
  report('escalation.not-an-agent', decides.at, `"decides: agent" is set for "${name}", who is no agent`, 'remove it: a person decides');
}

/** Who may decide in place of those the pipeline names. */
export function lowerDelegates({ namedPeople, installation }: LowerContext): Record<string, string[]> | undefined {
  const { people } = installation.directory;
  const found = [...namedPeople].sort().flatMap((name) => {
    const delegates = Object.hasOwn(people, name) ? people[name]?.delegates : undefined;
    return delegates && delegates.length > 0 ? [[name, delegates] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}
