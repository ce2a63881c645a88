import { actOnRun } from '../../client/act-on-run';
import { findBrief } from '../../client/find-brief';
import { hasEnded } from '../../client/outcome';
import type { RunSummary } from '../../client/run-summary';
import { BRIEF_RANGES } from '../../compiler/language/mappings/brief-budgets';
import { hasRoleTeam } from '../../kinds/questions';
import type { BudgetOrder } from '../../plan/budgets/budget';
import { defined } from '../../plan/defined';
import type { RunView, StepView } from '../../plan/run/status';
import { durationMs } from '../../plan/text/duration';
import { shellWord } from '../../plan/text/shell-word';
import { briefFolders } from '../briefs/brief-files';
import { editedFiles } from '../briefs/edited-file';
import type { Invocation, Options } from '../command';
import { CommandFailure, EXIT, usage } from '../exit';
import { follow } from '../following/follow';
import { reportChanges } from '../following/report-changes';
import { pathOfStep } from '../rendering/step-tree';
import { planOfRun } from '../rerun/original';
import { checkServed, orderedBy } from '../session/send-order';
import type { Session } from '../session/session';
import { warnNoWorker } from '../session/unserved-queues';
import { type Opens, withSession } from '../session/with-session';
import { givenFlags } from '../settings/given-flags';
import { recordsOf } from '../settings/records';
import { configurationOf } from '../settings/settings';
import { currentView } from './status';

/** Raises the ceilings of a brief, if new ones are given, and follows its run. What is done is not repeated. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const [json, detach] = [options.flag('json'), options.flag('detach')];
  if (options.flag('worker') && detach) throw usage('--worker works until the run ends or rests, so it goes without --detach');
  const ceilings = ceilingsOf(options);
  const configuration = configurationOf(invocation);
  const find = (client: Session['client']): Promise<RunSummary> => findBrief(client, args[0] ?? '');
  const opens: Opens = {
    ...{ configuration, need: detach ? 'answers' : 'worker', first: find },
    ...defined({ ownWorker: options.flag('worker') || undefined }),
  };
  return withSession(invocation, opens, async (session) => {
    const summary = await find(session.client);
    const { run } = summary;
    const view = await currentView(session, run);
    const step = briefStepOf(view);
    if (hasEnded(summary.state)) throw ended(summary, givenFlags(configuration));
    if (ceilings) checkRaised(ceilings, step, run);
    for (const line of await editedOf(session, view, step, invocation)) terminal.err(`${terminal.colors.yellow('!')} ${line}\n`);
    if (!detach && session.served === 'here') await checkServed(session, run, terminal.env);
    if (ceilings) {
      const { by } = orderedBy(invocation, configuration.user.value);
      await actOnRun(session.client, run, 'extend_budget', { ...defined({ by }), step: pathOfStep(step), ...ceilings });
    }
    await warnNoWorker(session, terminal, ' (or resume with --worker)');
    if (detach) {
      terminal.out(json ? `${JSON.stringify({ run, ...defined({ ceilings }) }, null, 2)}\n` : `${run}\n`);
      return EXIT.done;
    }
    const followed = await follow({ session, terminal, run, json, leaveWhenWaiting: true });
    await reportChanges(session, terminal, run, followed, json);
    return followed.exit;
  });
}

/** The same limits as in the file. */
function ceilingsOf(options: Options): BudgetOrder | undefined {
  const within = (name: string, flag: string, { min, max }: { min: number; max: number }): number | undefined => {
    const value = options.number(name, min);
    if (value !== undefined && value > max) throw usage(`--${flag} must be a whole number from ${min} to ${max}, got "${value}"`);
    return value;
  };
  const tokens = within('maxTokens', 'max-tokens', BRIEF_RANGES.tokens);
  const minutes = within('maxMinutes', 'max-minutes', BRIEF_RANGES.minutes);
  const order: BudgetOrder = defined({ tokens, wall_clock: minutes === undefined ? undefined : `${minutes}m` });
  return Object.keys(order).length === 0 ? undefined : order;
}

/** A lower ceiling is most likely a slip here: who means it says so with `budget`, which takes any that is not used up. */
function checkRaised({ tokens, wall_clock }: BudgetOrder, { budget = {}, ...step }: StepView, run: string): void {
  const minute = (ms: number): number => Math.floor(ms / MINUTE_MS);
  const { tokens: forTokens, wallClockMs: forTime } = budget;
  if (forTokens && typeof tokens === 'number' && tokens < forTokens.ceiling)
    throw lower(`--max-tokens ${tokens}`, `${forTokens.ceiling}, of which ${forTokens.spent} are spent`, `--tokens ${tokens}`);
  const wantedMs = typeof wall_clock === 'string' ? durationMs(wall_clock) : undefined;
  if (forTime && wantedMs !== undefined && wantedMs < forTime.ceiling)
    throw lower(
      `--max-minutes ${minute(wantedMs)}`,
      `${minute(forTime.ceiling)}, of which ${minute(forTime.spent)} are spent`,
      `--wall-clock ${wall_clock}`,
    );

  function lower(flag: string, ceiling: string, order: string): CommandFailure {
    const hint = `give a higher one; to lower it: thermidor budget ${shellWord(run)} --step ${shellWord(pathOfStep(step))} ${order}`;
    return usage(`${flag} would lower the ceiling, which is ${ceiling}`, hint);
  }
}

const MINUTE_MS = 60_000;

function ended({ run, state }: RunSummary, flags: string): CommandFailure {
  return new CommandFailure(EXIT.failed, 'brief.ended', `the run is ${state}, and nothing is left to resume: ${run}`, {
    hint: `go on from a step of it in a new run: thermidor rerun ${shellWord(run)} --from STEP${flags}; steps: thermidor status ${shellWord(run)}${flags}`,
  });
}

/** The step whose ceiling is reached, else the one at work. */
function briefStepOf({ run, steps, gates }: RunView): StepView {
  const found = steps.filter((step) => hasRoleTeam(step));
  const short = found.find((step) => gates.some((gate) => gate.kind === 'budget' && isWithin(gate.step, pathOfStep(step))));
  const step = short ?? found.find(({ state }) => state !== 'done' && state !== 'skipped') ?? found[0];
  if (step) return step;
  throw new CommandFailure(EXIT.usage, 'brief.not-a-brief', `${run} is not the run of a brief`, {
    hint: `go on with it: thermidor watch ${shellWord(run)}; new ceilings: thermidor budget ${shellWord(run)}`,
  });
}

function isWithin(path: string, step: string): boolean {
  return path === step || path.startsWith(`${step}/`) || path.startsWith(`${step}[`);
}

async function editedOf({ configuration }: Session, view: RunView, { brief }: StepView, { terminal }: Invocation): Promise<string[]> {
  if (!view.plan || !brief) return [];
  const { plan } = await planOfRun(view, recordsOf(configuration));
  return editedFiles(plan, brief, briefFolders(configuration, terminal.cwd), terminal);
}
