import { describeFaults, readHandOff } from '../../plan/brief/read-hand-off';
import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { JournalEntry } from '../../plan/run/journal';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { Json, JsonObject } from '../../plan/text/json';
import { planFrom } from '../patterns/compiled';
import { ruledOutput } from '../patterns/played';
import { artifact, runPlan, type Seen, type StepBehaviour, type World, type WorldOptions } from '../support/world';

/** Briefs in memory: a test writes each role's replies as the agent would, and the answers of people. */

/** A reply, or the failure of the agent; `silence` never ends. A reply that cannot be read is followed by its repair. */
export type Reply = string | Error | { text: string; toolCalls: number };

export interface BriefOptions extends Omit<WorldOptions, 'steps'> {
  /** The replies by role, in the order of the calls. */
  says: Record<string, readonly Reply[]>;
  roles?: string;
  mode?: 'auto' | 'gated';
  /** Further keys of the brief, as YAML of one line. */
  more?: string;
  /** The text of the pipeline, in place of one of this brief and a step after it. */
  text?: string;
  /** Answers of people to the gates, in order: the choice, and a comment. */
  answers?: readonly (string | [choice: string, comment: string])[];
  steps?: WorldOptions['steps'];
  begin?: (plan: Plan, options: WorldOptions) => World;
}

export interface PlayedBrief {
  world: World;
  plan: Plan;
  /** Who has replied, in order: a repair is a call, too. */
  calls: string[];
  /** The states in the journal. */
  states(): string[];
  notes(): Extract<JournalEntry, { kind: 'brief' }>[];
  output(): JsonObject;
  /** The assignment with which the part at an address was asked. */
  assigned(address: string): string;
  /** Gates that are open, without the answers that the test has. */
  settle(): Promise<void>;
}

export const briefText = ({ roles = '[planner, executor, reviewer]', mode = 'auto', more = '' }: Partial<BriefOptions> = {}): string =>
  `steps:
  - id: brief
    brief: {project: site, mode: ${mode}, roles: ${roles}, objective: A site., deliverables: [index.html], constraints: None.${more && `, ${more}`}}
  - {id: after, run: 'true'}
output: brief
`;

export function playBrief(options: BriefOptions): PlayedBrief {
  const { says, answers = [], text = briefText(options), steps, begin = runPlan, roles: _r, mode: _m, more: _o, ...world } = options;
  const calls: string[] = [];
  const stored = new Map<string, Json>();
  const plan = planFrom(text);
  const open = new Map(Object.entries(says).map(([role, replies]) => [role, [...replies]]));
  const next = (role: string, address: string): Exclude<Reply, Error> => {
    calls.push(role);
    const reply = open.get(role)?.shift();
    if (reply === undefined) throw new Error(`no reply for ${role} at ${address}`);
    if (reply instanceof Error) throw reply;
    return reply;
  };
  const asked = (role: string, { call, input }: Seen): StepOutput | Promise<StepOutput> => {
    const address = call.options.address ?? '';
    const read = (reply: Exclude<Reply, Error>) => {
      const said = typeof reply === 'string' ? { text: reply } : reply;
      const found = input.handOff && readHandOff(said.text, input.handOff);
      return { ...said, faults: found && 'faults' in found ? found.faults : undefined };
    };
    let reply = read(next(role, address));
    if (reply.text === 'silence') return new Promise(() => undefined);
    const made = reply.faults ? { requests: 2 } : {};
    if (reply.faults) reply = read(next(role, address));
    if (reply.faults) throw new ThermidorFailure('reply.invalid', describeFaults(reply.faults), undefined, undefined, made);
    const ref = artifact(`said-${address}`);
    stored.set(ref.sha256, reply.text);
    return { artifact: ref, ...made, ...('toolCalls' in reply ? { toolCalls: reply.toolCalls } : {}) };
  };
  const behaviours = Object.keys(says).map((role): [string, StepBehaviour] => [`brief_${role}`, (seen) => asked(role, seen)]);
  const made = begin(plan, {
    matter: { brief: 'A site.', confirmation: 'A site, confirmed.', roles: '' },
    compose(from, address) {
      if (from.kind === 'artifact') return { artifact: from.artifact };
      const ref = artifact(address);
      if (from.kind === 'value') stored.set(ref.sha256, from.value);
      return { artifact: ref };
    },
    ...world,
    documents: (sha256) => stored.get(sha256) ?? world.documents?.(sha256),
    steps: { ...Object.fromEntries(behaviours), ...steps },
  });
  const notes = () => made.journal().flatMap((entry) => (entry.kind === 'brief' ? [entry] : []));
  const left = [...answers];
  return {
    ...{ world: made, plan, calls, notes },
    states: () => notes().flatMap((note) => (note.event === 'entered' ? [note.state] : [])),
    output: () => ruledOutput(made, /brief#\d+~\d+\/compose$/),
    assigned(address) {
      const sha256 = made.seen.find(({ call }) => call.options.address === `${address}#1~1`)?.input.inputs?.['assignment']?.sha256;
      return String((sha256 && made.resultOf(sha256)) ?? '');
    },
    async settle() {
      for (;;) {
        for (let i = 0; i < 12; i++) await made.settle();
        const [gate] = made.status().gates;
        const answer = gate && left.shift();
        if (!gate || answer === undefined) return;
        const [choice, comment] = typeof answer === 'string' ? [answer] : answer;
        made.signal('respond', { step: gate.step, by: 'ann', response: choice, ...(comment === undefined ? {} : { comment }) });
      }
    },
  };
}
