import type { BudgetOrder } from '../../plan/budgets/budget';
import { awaitedApprover, type GateForm, type GateView } from '../../plan/people/gate';
import { VOTE_CHOICES } from '../../plan/people/vote';
import { joined } from '../../plan/text/joined';
import { jsonText } from '../../plan/text/json-text';
import { shellQuote, shellWord } from '../../plan/text/shell-word';
import { sampleResponse } from '../response';

/** How a gate can be answered from a shell, with this command line and with Temporal's own. Pure text, ready to paste. */
export interface AnswerLines {
  choice: string;
  thermidor: string;
  /** Absent if a plain signal cannot do it, because the gate wants proof. */
  temporal?: string;
}

/** What a line is made of, as views, lists and links have it. */
type AnsweredGate = Partial<GateView> & Pick<GateView, 'step' | 'choices'>;

export interface ServerPlace {
  address: string;
  namespace: string;
  /** The server runs only while a command of ours does. */
  embedded?: boolean;
  /** The flags that our own commands need to reach it, with a space before them. */
  flags?: string;
  /** The references to people's tokens, as in the settings (`secret://…`); never a token itself. */
  tokens?: Readonly<Record<string, string>>;
}

/** One line for each choice. An input gate has one, with a response to begin with: its defaults, or what its form asks for. */
export function answerLines(run: string, gate: AnsweredGate, onlyGate: boolean, server: ServerPlace, form?: GateForm): AnswerLines[] {
  if (gate.kind === 'budget') return budgetAnswers(run, gate, onlyGate, server);
  const by = awaitedApprover(gate) ?? 'YOU';
  return gate.choices.map((choice) => {
    const direct = choice === 'approve' || choice === 'reject';
    const response = gate.kind === 'input' ? sampleResponse(form) : choice;
    const step = onlyGate ? {} : { step: gate.step };
    const at = onlyGate ? '' : ` ${shellWord(gate.step)}`;
    const what = direct ? choice : 'respond';
    const given = direct ? '' : ` --response ${shellWord(typeof response === 'string' ? response : jsonText(response))}`;
    const isHeeded = gate.comment === 'always' || (gate.comment === 'on_reject' && choice === 'reject') || TRY_AGAIN.includes(choice);
    const comment = isHeeded ? 'WHY' : undefined;
    const said = comment === undefined ? '' : ` --comment ${comment}`;
    const ours = gate.ballot
      ? `thermidor vote ${shellWord(run)}${at} ${voteFlag(choice)} --by ${shellWord(by)} --rationale WHY`
      : `thermidor ${what} ${shellWord(run)}${at}${given} --by ${shellWord(by)}${said}`;
    const flags = server.flags ?? '';
    if (gate.identity === 'proven') return { choice, thermidor: `${ours} --token ${tokenOf(by, server)}${flags}` };
    const input = jsonText(joined(step, { by }, direct ? {} : { response }, { comment }));
    return {
      choice,
      thermidor: `${ours}${flags}`,
      temporal: `temporal workflow signal -w ${shellWord(run)} --name ${what} --input ${shellQuote(input)} ${serverFlags(server)}`,
    };
  });
}

/** The role or agent that tries again reads the comment. */
const TRY_AGAIN: readonly string[] = ['retry', 'needs_retry', 'revise'];

/** Any other choice is an option. */
function voteFlag(choice: string): string {
  return VOTE_CHOICES.some((word) => word === choice) ? `--${choice}` : `--option ${shellWord(choice)}`;
}

function tokenOf(by: string, { tokens = {} }: ServerPlace): string {
  return shellWord(Object.hasOwn(tokens, by) ? (tokens[by] ?? '') : 'secret://env/YOUR_TOKEN');
}

/** A budget gate is answered by a new ceiling for what was reached, or by ending the run. */
function budgetAnswers(
  run: string,
  { step, budget, raise, roleTeam }: AnsweredGate,
  onlyGate: boolean,
  server: ServerPlace,
): AnswerLines[] {
  const ceilings = raise ?? twiceOf(budget);
  const flags = Object.entries(ceilings).map(([key, amount]) => ` --${BUDGET_FLAGS[key] ?? key} ${shellWord(String(amount))}`);
  const resumes = roleTeam && onlyGate ? resumeFlags(ceilings) : undefined;
  const ours = resumes
    ? `thermidor brief resume ${shellWord(run)}${resumes}`
    : `thermidor budget ${shellWord(run)}${flags.join('')}${onlyGate ? '' : ` --step ${shellWord(step)}`}`;
  const at = onlyGate ? {} : { step };
  const signal = (name: string, payload: object): string =>
    `temporal workflow signal -w ${shellWord(run)} --name ${name} --input ${shellQuote(JSON.stringify(payload))} ${serverFlags(server)}`;
  return [
    {
      choice: 'extend_budget',
      thermidor: `${ours}${server.flags ?? ''}`,
      temporal: signal('extend_budget', { ...at, by: 'YOU', ...ceilings }),
    },
    { choice: 'abort', thermidor: `thermidor abort ${shellWord(run)}${server.flags ?? ''}`, temporal: signal('abort', { by: 'YOU' }) },
  ];
}

/** The same for `thermidor brief resume`; undefined if it does not raise that ceiling. */
function resumeFlags({ tokens, wall_clock: time, ...others }: BudgetOrder): string | undefined {
  const [, minutes] = /^(\d+)m$/.exec(String(time)) ?? [];
  if (Object.keys(others).length > 0 || (time !== undefined && minutes === undefined)) return undefined;
  return `${tokens === undefined ? '' : ` --max-tokens ${tokens}`}${minutes === undefined ? '' : ` --max-minutes ${minutes}`}`;
}

/** Flags of `thermidor budget`, by the key of `extend_budget`. */
const BUDGET_FLAGS: Readonly<Record<string, string>> = {
  wall_clock: 'wall-clock',
  tool_calls_per_step: 'tool-calls',
  retries_per_step: 'retries',
  on_unknown_cost: 'on-unknown-cost',
  on_unlimited: 'on-unlimited',
};

/** The new ceiling if the gate does not suggest one: twice the scarcest. */
function twiceOf(budget: AnsweredGate['budget']): BudgetOrder {
  const { tokens, costMicroUsd } = budget ?? {};
  const byCost =
    costMicroUsd !== undefined && (tokens === undefined || costMicroUsd.left / costMicroUsd.ceiling < tokens.left / tokens.ceiling);
  return byCost ? { usd: (2 * costMicroUsd.ceiling) / 1_000_000 } : { tokens: 2 * (tokens?.ceiling ?? TOKENS / 2) };
}
/** Used if the old ceiling is unknown, as in lists. */
const TOKENS = 200_000;

/** The flags by which Temporal's own command line reaches the same server. */
export function serverFlags({ address, namespace }: ServerPlace): string {
  return `--address ${address}${namespace === 'default' ? '' : ` --namespace ${shellWord(namespace)}`}`;
}
