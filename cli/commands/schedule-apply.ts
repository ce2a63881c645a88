import { realpathSync } from 'node:fs';
import {
  type Applied,
  type AppliedResult,
  applySchedule,
  previewSchedule,
  scheduleOf,
  schedulesToPrune,
} from '../../client/apply-schedules';
import { loadHooks } from '../../client/hooks/load-hooks';
import type { ScheduleOwner, WantedSchedule } from '../../client/schedule-options';
import type { Us } from '../../client/schedule-owner';
import { deleteSchedule } from '../../client/schedules';
import { defined } from '../../plan/defined';
import { PipelineIndex } from '../../worker/pipeline-index';
import type { Invocation } from '../command';
import { CommandFailure, EXIT, usage } from '../exit';
import { checkedPipeline } from '../pipelines/checked-pipeline';
import { loadScript, type PipelineFile } from '../pipelines/pipelines';
import { unservedBy, warnUnserved, worksAlone } from '../serving/check-served';
import type { Session } from '../session/session';
import { withSession } from '../session/with-session';
import type { Configuration } from '../settings/configuration';
import { configurationOf } from '../settings/settings';
import { hookPathsIn, SAME_PATH_HINT, samePaths } from '../triggers/hook-paths';
import { triggersIn } from '../triggers/trigger-news';
import { ownerHere, usHere } from '../triggers/us';

/**
 * Applies pipelines' `trigger:` to Temporal Schedules.
 *
 * Invariants: 1. nothing is changed if one of the schedules belongs to somebody else; 2. what `--prune` deletes is listed first, and it
 * never deletes every schedule unless `--all` is given.
 */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const configuration = configurationOf(invocation);
  const prune = options.flag('prune');
  if (prune && args.length > 0) throw usage('--prune goes over all pipelines, so it takes no files');
  if (options.flag('all') && !prune) throw usage('--all goes with --prune');
  const names = args.length > 0 ? args : knownPipelines(configuration);
  if (prune && names.length === 0) throw nothingHere(configuration);
  const wanted = await wantedSchedules(names, configuration, invocation);
  return withSession(invocation, { need: 'server', begins: true }, async (session) => {
    const owner = options.flag('dryRun') ? undefined : await ownerHere(session);
    const us = owner ?? (await usHere(session));
    const how = { takeOver: options.flag('takeOver') };
    const { client } = session;
    // All of them are checked first: if one is refused, none has been changed.
    const preview: AppliedResult[] = [];
    for (const schedule of wanted) preview.push(await previewSchedule(client, us, schedule, how));
    const names = new Set(wanted.map(scheduleOf));
    const old = prune ? await schedulesToPrune(client, us, names) : [];
    await checkPaths(session, us, wanted, new Set([...names, ...old.map(({ schedule }) => schedule)]));
    if (old.length > 0 && wanted.length === 0 && !options.flag('all')) throw wouldDeleteAll(old);
    if (!owner) {
      report(invocation, [...preview, ...old], true);
      return EXIT.done;
    }
    if (old.length > 0 && !options.flag('json')) terminal.err(`deletes ${namesOf(old)}\n`);
    const done = await applyAll(session, owner, { wanted, old, how });
    report(invocation, done, false);
    return EXIT.done;
  });
}

/** @param settled schedules that are replaced or deleted: what the server has of them does not count */
async function checkPaths({ client }: Session, us: Us, wanted: readonly WantedSchedule[], settled: ReadonlySet<string>): Promise<void> {
  const hooks = hookPathsIn(wanted);
  if (hooks.length === 0) return;
  const others = (await loadHooks(client, us)).filter(({ schedule }) => !settled.has(schedule));
  const [same] = samePaths([...hooks, ...others.map(({ schedule, trigger: { path } }) => ({ schedule, path }))]);
  if (same !== undefined) throw new CommandFailure(EXIT.usage, 'schedule.refused', same, { hint: SAME_PATH_HINT });
}

async function applyAll(
  { client }: Session,
  owner: ScheduleOwner,
  { wanted, old, how }: { wanted: readonly WantedSchedule[]; old: readonly AppliedResult[]; how: { takeOver: boolean } },
): Promise<AppliedResult[]> {
  const done: AppliedResult[] = [];
  for (const schedule of wanted) done.push(await applySchedule(client, owner, schedule, how));
  for (const one of old) {
    await deleteSchedule(client, owner, one.schedule);
    done.push(one);
  }
  return done;
}

function report({ options, terminal }: Invocation, results: readonly AppliedResult[], dryRun: boolean): void {
  const { colors } = terminal;
  if (options.flag('json')) {
    const schedules = dryRun ? results.map(({ done: would, ...rest }) => ({ ...rest, would })) : results;
    terminal.out(`${JSON.stringify({ ...(dryRun ? { dryRun } : {}), schedules }, null, 2)}\n`);
  } else if (results.length === 0) {
    terminal.err('no pipeline has a trigger; write one in its file: `trigger: cron "30 7 * * 1-5"`\n');
  } else {
    for (const { schedule, done, paused } of results) {
      const what = dryRun ? WOULD[done] : done;
      terminal.out(`${schedule}  ${what}${paused ? colors.yellow('  paused') : ''}\n`);
    }
  }
}

const WOULD: Readonly<Record<Applied, string>> = {
  created: 'would be created',
  updated: 'would be updated',
  unchanged: 'would stay as it is',
  adopted: 'would be adopted',
  'taken-over': 'would be taken over',
  deleted: 'would be deleted',
};

function nothingHere({ pipelines }: Configuration): CommandFailure {
  const folders =
    pipelines.value.length === 0 ? 'no pipelines folder was found' : `there are no pipelines in ${pipelines.value.join(', ')}`;
  return usage(`--prune deletes nothing: ${folders}`, 'type it where the pipelines are; `thermidor schedule delete NAME` deletes one');
}

function wouldDeleteAll(old: readonly AppliedResult[]): CommandFailure {
  return usage(
    `--prune would delete all schedules of this installation: ${namesOf(old)}`,
    'no pipeline here has a trigger; add --all if that is meant, or --dry-run to look first',
  );
}

function namesOf(results: readonly AppliedResult[]): string {
  return results.map(({ schedule, paused }) => `${schedule}${paused ? ' (paused)' : ''}`).join(', ');
}

function knownPipelines(configuration: Configuration): string[] {
  return [...new PipelineIndex(configuration.pipelines.value).files().keys()].sort();
}

/** What all the files want. A run of a schedule is one of the pipeline by its name, so that no two files may have the same. */
async function wantedSchedules(names: readonly string[], configuration: Configuration, invocation: Invocation): Promise<WantedSchedule[]> {
  const known = new PipelineIndex(configuration.pipelines.value).files();
  const found = new Map<string, WantedSchedule[]>();
  const files = new Map<string, Set<string>>();
  for (const given of names) {
    const { pipeline, wanted, name } = await wantedOf(given, configuration, invocation);
    if (wanted.length === 0) continue;
    const same = files.get(name) ?? new Set((known.get(name) ?? []).map((file) => realpathSync(file)));
    files.set(name, same.add(realpathSync(pipeline.path)));
    if (same.size > 1) throw sameName(name, [...same]);
    found.set(name, wanted);
  }
  return [...found.values()].flat();
}

function sameName(name: string, files: readonly string[]): CommandFailure {
  return new CommandFailure(EXIT.usage, 'pipeline.ambiguous', `several files have the name "${name}": ${files.join(', ')}`, {
    hint: 'a schedule starts the pipeline by its name: give each file a name of its own',
  });
}

async function wantedOf(
  given: string,
  configuration: Configuration,
  { options, terminal }: Invocation,
): Promise<{ name: string; pipeline: PipelineFile; wanted: WantedSchedule[] }> {
  const { pipeline, compiled } = checkedPipeline(given, configuration, terminal);
  const { plan } = compiled;
  const { name, description } = plan;
  const wanted = triggersIn(plan);
  if (wanted.length === 0) return { name, pipeline, wanted };
  const script = options.text('script');
  if (script !== undefined) loadScript(pipeline, script, plan);
  else if (await worksAlone(configuration)) {
    // Runs start later: what counts is who works then.
    const problems = await unservedBy(plan, async (digest) => compiled.blobs.get(digest)?.content, configuration, terminal.env);
    warnUnserved(problems, terminal, `${plan.name}, if this environment is that of its worker: `);
  }
  return { name, pipeline, wanted: wanted.map((one) => ({ ...one, ...defined({ description, script }) })) };
}
