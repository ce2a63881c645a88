import { sleep } from '../../client/pause';
import type { Script } from '../../plan/agents/script';
import { defined } from '../../plan/defined';
import type { GateForm, GateView } from '../../plan/people/gate';
import type { SignalName, SignalPayload } from '../../plan/run/signal';
import type { RunView } from '../../plan/run/status';
import { joined } from '../../plan/text/joined';
import type { Json } from '../../plan/text/json';
import type { Spelled } from '../../plan/text/spelled-json';
import type { ServerPlace } from '../rendering/answer';
import { renderAnswers, renderGate } from '../rendering/gate';
import { oneLine } from '../rendering/text/printable';
import type { Terminal } from '../terminal';
import { askPerson } from './ask-person';
import { askValue } from './ask-value';
import type { Screen } from './screen';
import { choiceUpdate, delayOf, peopleFor } from './scripted-people';

/** Why a decision was not taken. */
export interface AnswerRefusal {
  message: string;
}

export interface GateAnswererOptions {
  run: string;
  server: ServerPlace;
  /** Gives a decision to the run; returns why it was refused. */
  decide: (name: SignalName, payload: SignalPayload) => Promise<AnswerRefusal | undefined>;
  terminal: Terminal;
  screen: Screen;
  /** Ask the person at the terminal. */
  ask: boolean;
  /** The script whose people answer if nobody is asked, and whose part the person at the terminal plays. */
  script?: Script;
  /** Who the person at the terminal is, if neither script nor gate says. */
  user?: string;
  pathsOf: (gate: GateView) => Promise<readonly string[]>;
  /** The gate's form: everything it asks for apart from its question. */
  formOf: (gate: GateView) => Promise<GateForm | undefined>;
  /** Called when a gate has been seen to, or could not be: then `check` fails. */
  onSettled: () => void;
}

/**
 * Makes sure that a followed run's gates are decided, or that the user learns how they can be.
 *
 * Invariants: 1. a gate is handled once, and once more after each vote if several must agree, however many views show it; 2. one question
 * at a time is on the screen, and it is withdrawn when its gate closes; 3. a decision of a script's person is always marked as the
 * script's; 4. nobody is asked whose answer the gate would refuse.
 */
export class GateAnswerer {
  /** What the script's people did, for the summary and `--json`. */
  readonly scripted: { step: string; choice: string; by?: string }[] = [];
  private readonly seen = new Map<string, 'busy' | 'shown'>();
  private readonly closing = new AbortController();
  private view: RunView | undefined;
  private open: readonly GateView[] = [];
  private question: { gate: string; withdraw: AbortController } | undefined;
  private failure: { cause: unknown } | undefined;

  constructor(private readonly options: GateAnswererOptions) {}

  /** Fails if an answer could not be given for a reason other than a refusal. */
  check(): void {
    if (this.failure !== undefined) throw this.failure.cause;
  }

  get failed(): boolean {
    return this.failure !== undefined;
  }

  consider(view: RunView): void {
    this.view = view;
    this.open = view.gates;
    if (this.question !== undefined && !view.gates.some((gate) => keyOf(gate) === this.question?.gate)) this.question.withdraw.abort();
    for (const gate of view.gates) {
      if (this.seen.has(keyOf(gate))) continue;
      if (this.options.ask && this.question !== undefined) continue;
      this.seen.set(keyOf(gate), 'busy');
      this.handle(gate)
        .catch((error: unknown) => {
          this.failure = { cause: error };
        })
        .finally(() => {
          // A refused answer, or a gate that waited its turn, is asked now: there may be no further view.
          if (this.view !== undefined && !this.closing.signal.aborted) this.consider(this.view);
          this.options.onSettled();
        });
    }
  }

  /** Whether somebody here is about to answer one of the open gates. */
  get busy(): boolean {
    return this.open.some((gate) => this.seen.get(keyOf(gate)) !== 'shown');
  }

  stop(): void {
    this.closing.abort();
    this.question?.withdraw.abort();
  }

  private async handle(gate: GateView): Promise<void> {
    const { terminal, screen, ask, pathsOf, formOf } = this.options;
    const people =
      this.options.script === undefined ? [] : peopleFor(gate, this.options.script.people).filter(({ by }) => mayDecide(gate, by));
    if (ask && canBeAsked(gate)) {
      const by = people[0]?.by ?? (gate.approvers?.length === 1 ? gate.approvers[0] : undefined) ?? this.options.user;
      if (mayDecide(gate, by)) return this.askFor(gate, by);
    }
    const form = await formOf(gate);
    const paths = await pathsOf(gate);
    screen.say(renderGate(gate, terminal.colors, () => paths, form));
    if (!(await this.letScriptAnswer(gate, people))) this.show(gate, form);
  }

  private async askFor(gate: GateView, by: string | undefined): Promise<void> {
    const { terminal, screen, pathsOf, formOf } = this.options;
    const withdraw = new AbortController();
    // Set before anything is awaited, so that the next gate of the same view sees that there is a question already.
    this.question = { gate: keyOf(gate), withdraw };
    screen.suspend();
    try {
      const form = await formOf(gate);
      const paths = await pathsOf(gate);
      terminal.out(renderGate(gate, terminal.colors, () => paths, form));
      const signal = AbortSignal.any([withdraw.signal, this.closing.signal, terminal.interrupted]);
      const answer = gate.kind === 'input' ? await askValue(form, terminal, signal) : await askPerson(gate, terminal, signal);
      if (answer === undefined) {
        if (!this.closing.signal.aborted && !terminal.interrupted.aborted && !withdraw.signal.aborted) this.show(gate, form);
        return;
      }
      const problem = await ('response' in answer
        ? this.respond(gate, answer.response, by)
        : this.decide(gate, answer.choice, { by, comment: answer.comment }));
      if (problem === undefined) return;
      terminal.out(`  ${terminal.colors.red(problem.message)}\n`);
      this.seen.delete(keyOf(gate));
    } finally {
      this.question = undefined;
      screen.resume();
    }
  }

  /** Whether one of the script's people decided the gate. */
  private async letScriptAnswer(gate: GateView, people: ReturnType<typeof peopleFor>): Promise<boolean> {
    const { screen, script, terminal } = this.options;
    for (const person of people) {
      await sleep(delayOf(person, gate.openedAt, Date.now()), this.closing.signal);
      if (this.closing.signal.aborted || !this.open.some((open) => keyOf(open) === keyOf(gate))) return true;
      const problem = await this.decide(gate, person.choice, person);
      const who = person.by === undefined ? '' : ` by ${person.by}`;
      if (problem === undefined) {
        this.scripted.push({ step: gate.step, choice: person.choice, ...defined({ by: person.by }) });
        screen.say(terminal.colors.yellow(`  the script "${script?.name}" answers: ${person.choice}${who}\n`));
        return true;
      }
      screen.say(`  ${terminal.colors.red(`the script’s answer ${person.choice}${who} was refused:`)} ${oneLine(problem.message)}\n`);
    }
    return false;
  }

  private decide(
    gate: GateView,
    choice: string,
    more: { by?: string | undefined; comment?: string | undefined; response?: Json | undefined },
  ): Promise<AnswerRefusal | undefined> {
    const { name, payload } = choiceUpdate(gate.step, choice, more);
    return this.options.decide(name, payload);
  }

  private respond(gate: GateView, response: Spelled, by: string | undefined): Promise<AnswerRefusal | undefined> {
    return this.options.decide('respond', joined({ step: gate.step, response, by }));
  }

  private show(gate: GateView, form: GateForm | undefined): void {
    const { run, server, terminal, screen } = this.options;
    this.seen.set(keyOf(gate), 'shown');
    screen.say(renderAnswers(run, gate, this.open.length === 1, server, terminal.colors, form));
  }
}

/** A gate's key. A step may open a gate again, in another round or after a retry; with each vote it is others who have to answer. */
function keyOf({ step, openedAt, approvedBy = [] }: GateView): string {
  return `${step} ${openedAt} ${approvedBy.length}`;
}

/**
 * Whether the gate can be asked at the terminal. A new ceiling is more than a choice of a few words, and typing proves no identity:
 * commands are shown instead.
 */
function canBeAsked({ kind, identity }: GateView): boolean {
  return kind !== 'budget' && identity !== 'proven';
}

/** People who have voted, and those whom four eyes exclude, are not asked. */
function mayDecide({ approvedBy = [], notBy = [] }: GateView, by: string | undefined): boolean {
  return by === undefined || !(approvedBy.includes(by) || notBy.includes(by));
}
