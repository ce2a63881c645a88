import type { WantedSchedule } from '../../client/schedule-options';
import {
  applySchedule,
  deleteSchedule,
  listSchedules,
  pauseSchedule,
  pruneSchedules,
  type ScheduleView,
  triggerSchedule,
  unpauseSchedule,
} from '../../client/schedules';
import { checkArgs } from '../../plan/run/args';
import { PipelineIndex } from '../../worker/pipeline-index';
import type { Invocation } from '../command';
import { CommandFailure, EXIT, usage } from '../exit';
import { checkedPipeline } from '../pipelines/checked-pipeline';
import { loadScript } from '../pipelines/pipelines';
import { renderEmpty } from '../rendering/text/empty';
import { oneLine } from '../rendering/text/printable';
import { renderTable } from '../rendering/text/table';
import { localTime } from '../rendering/text/time';
import { unservedBy, warnUnserved, worksAlone } from '../serving/check-served';
import { ifNothingHasRun } from '../session/nothing-has-run';
import type { Session } from '../session/session';
import { withSession } from '../session/with-session';
import type { Configuration } from '../settings/configuration';
import { givenFlags } from '../settings/given-flags';
import { configurationOf } from '../settings/settings';
import type { Terminal } from '../terminal';

/** `trigger:` of pipelines and Temporal Schedules. */
export async function apply(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const configuration = configurationOf(invocation);
  const prune = options.flag('prune');
  if (prune && args.length > 0) throw usage('--prune goes over all pipelines, so it takes no files');
  const names = args.length > 0 ? args : knownPipelines(configuration);
  const wanted: WantedSchedule[] = [];
  for (const name of names) wanted.push(...(await wantedSchedule(name, configuration, invocation)));
  return withSession(invocation, { need: 'server', begins: true }, async ({ client }) => {
    const done = [];
    for (const schedule of wanted) done.push(await applySchedule(client, schedule));
    if (prune) done.push(...(await pruneSchedules(client, new Set(wanted.map(({ pipeline }) => pipeline)))));
    if (options.flag('json')) terminal.out(`${JSON.stringify({ schedules: done }, null, 2)}\n`);
    else if (done.length === 0) terminal.err('no pipeline has a trigger; write one in its file: `trigger: cron "30 7 * * 1-5"`\n');
    for (const { schedule, done: what, paused } of options.flag('json') ? [] : done) {
      terminal.out(`${schedule}  ${what}${paused ? terminal.colors.yellow('  paused') : ''}\n`);
    }
    return EXIT.done;
  });
}

function knownPipelines(configuration: Configuration): string[] {
  return [...new PipelineIndex(configuration.pipelines.value).files().keys()].sort();
}

/** None where the pipeline is started by hand. Fails where a scheduled run could never start: an arg without a default. */
async function wantedSchedule(given: string, configuration: Configuration, { options, terminal }: Invocation): Promise<WantedSchedule[]> {
  const { pipeline, compiled } = checkedPipeline(given, configuration, terminal);
  const { plan } = compiled;
  if (plan.trigger.kind !== 'cron') return [];
  const { problems } = checkArgs(plan, {});
  if (problems.length > 0) {
    throw new CommandFailure(EXIT.usage, 'args.invalid', `${pipeline.file}: a schedule starts runs without args`, {
      details: { problems: problems.map(({ arg, problem }) => `arg "${arg}" ${problem}`) },
      hint: 'give every required arg a default, or take the trigger away',
    });
  }
  const script = options.text('script');
  if (script !== undefined) loadScript(pipeline, script, plan);
  else if (await worksAlone(configuration)) {
    // A run comes when it comes: what counts is who works then.
    const problems = await unservedBy(plan, async (digest) => compiled.blobs.get(digest)?.content, configuration, terminal.env);
    warnUnserved(problems, terminal, `${plan.name}, if this environment is that of its worker: `);
  }
  const wanted: WantedSchedule = { pipeline: plan.name, trigger: plan.trigger };
  if (plan.description !== undefined) wanted.description = plan.description;
  if (script !== undefined) wanted.script = script;
  return [wanted];
}

export function list(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const shown = withSession(invocation, 'server', async ({ client, configuration }) => {
    const schedules = await listSchedules(client);
    if (options.flag('json')) terminal.out(`${JSON.stringify({ schedules }, null, 2)}\n`);
    else if (schedules.length === 0)
      terminal.err(renderEmpty('no schedules', 'make one for each `trigger:` with', 'schedule apply', givenFlags(configuration)));
    else terminal.out(table(schedules, terminal));
    return EXIT.done;
  });
  return ifNothingHasRun(shown, (why) => {
    terminal.err(why);
    if (options.flag('json')) terminal.out(`${JSON.stringify({ schedules: [] }, null, 2)}\n`);
    return EXIT.done;
  });
}

function table(schedules: readonly ScheduleView[], terminal: Terminal): string {
  const { colors } = terminal;
  const rows = schedules.map(({ schedule, paused, note, timezone, next, lastRun }) => [
    schedule,
    paused ? colors.yellow('paused') : colors.green('active'),
    next === undefined ? '' : localTime(next),
    timezone,
    lastRun ?? '',
    oneLine(note ?? ''),
  ]);
  return renderTable(['SCHEDULE', 'STATE', 'NEXT', 'TIME ZONE', 'LAST RUN', 'NOTE'], rows, terminal);
}

export const trigger = (invocation: Invocation): Promise<number> =>
  change(invocation, 'triggered', async (session, name) => {
    await triggerSchedule(session.client, name);
    if (session.served === 'nowhere') invocation.terminal.err('The run needs a worker to continue: thermidor up.\n');
  });

export const pause = (invocation: Invocation): Promise<number> =>
  change(invocation, 'paused', ({ client }, name) => pauseSchedule(client, name, reason(invocation, 'paused by an operator')));

export const unpause = (invocation: Invocation): Promise<number> =>
  change(invocation, 'unpaused', ({ client }, name) => unpauseSchedule(client, name, reason(invocation, 'unpaused by an operator')));

export const remove = (invocation: Invocation): Promise<number> =>
  change(invocation, 'deleted', ({ client }, name) => deleteSchedule(client, name));

function reason({ options }: Invocation, otherwise: string): string {
  return options.text('reason') ?? otherwise;
}

function change(invocation: Invocation, done: string, work: (session: Session, name: string) => Promise<void>): Promise<number> {
  const { args, options, terminal } = invocation;
  const name = args[0] ?? '';
  return withSession(invocation, 'server', async (session) => {
    await work(session, name);
    terminal.out(options.flag('json') ? `${JSON.stringify({ schedule: name, done }, null, 2)}\n` : `${name}  ${done}\n`);
    return EXIT.done;
  });
}
