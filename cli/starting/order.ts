import { scheduledFor } from '../../activities/run/scheduled-for';
import type { StartRun } from '../../client/start-run';
import type { BriefStart } from '../../compiler/brief/flags';
import { isAlwaysLast } from '../../kinds/questions';
import type { Script } from '../../plan/agents/script';
import { defined } from '../../plan/defined';
import { timezoneOf } from '../../plan/plan';
import { bug } from '../../plan/run/failure';
import type { ScheduledFor } from '../../plan/run/run-input';
import type { Json } from '../../plan/text/json';
import { readMoment } from '../../plan/text/moment';
import { idOfBrief } from '../briefs/brief-in';
import type { Invocation } from '../command';
import { usage } from '../exit';
import { checkedPipeline } from '../pipelines/checked-pipeline';
import { compilerInstallation } from '../pipelines/installation';
import { type Compiled, compile, loadScript, type PipelineFile } from '../pipelines/pipelines';
import { readRunArgs } from '../pipelines/run-args';
import { recordingPath } from '../recording/record-followed';
import { checkQueues } from '../serving/check-queues';
import { type PlanBlob, unservedNow } from '../serving/check-served';
import { warnOldSettings } from '../serving/live-workers';
import { OR_A_SCRIPT, type Unserved, unservedFailure } from '../serving/unserved-agents';
import type { Configuration } from '../settings/configuration';
import { configurationOf } from '../settings/settings';
import { madeBriefId, runId } from './run-id';
import { starterHere } from './starter';

/** What `run` is asked to do. */
export interface RunOrder {
  configuration: Configuration;
  pipeline: PipelineFile;
  compiled: Compiled;
  args: Record<string, Json>;
  /** Who starts it. */
  starter: Pick<StartRun, 'startedBy' | 'token' | 'traceparent'>;
  /** The moment that it is for. */
  scheduled?: ScheduledFor;
  /** Stands in for the agents. */
  script?: { text: string; script: Script };
  /** Its post-mortem is asked for. */
  postMortem?: true;
  /** The id of the run, if one is asked for. */
  id?: string;
  /** The script that the run is recorded as. */
  recordIn?: string;
  /** What keeps agents from being asked: only reported, because nothing is started (`--dry-run`). */
  unserved: readonly Unserved[];
}

/** What a command knows of its order before it is read. */
export interface OrderTerms {
  /** The script that is used if no option says otherwise. */
  script?: string | undefined;
  /** What the first argument names. @default 'pipeline' */
  wanted?: 'pipeline' | 'team';
  /** Throws if the command takes no such file. It is asked before anything is looked for that agents need. */
  requires?: (file: Pick<RunOrder, 'pipeline' | 'compiled'>) => void;
  /** How a brief's file is started. */
  brief?: Omit<BriefStart, 'id'>;
}

/** Reads the order. Everything that can be wrong with it is found here, before anything is started. */
export async function readOrder(
  { args, options, terminal }: Invocation,
  { script: usual, wanted, requires, brief: start }: OrderTerms = {},
): Promise<RunOrder> {
  const configuration = configurationOf({ options, terminal });
  const brief: BriefStart = { id: madeBriefId(), ...start };
  const { pipeline, compiled } = checkedPipeline(args[0] ?? '', configuration, terminal, { wanted, brief });
  requires?.({ pipeline, compiled });
  const { plan } = compiled;
  const scriptName = options.flag('live') ? undefined : (options.text('script') ?? usual);
  const recordIn = recordingPath(options, terminal);
  await warnOldSettings(configuration, terminal);
  const blob: PlanBlob = async (digest) => compiled.blobs.get(digest)?.content;
  const unserved = scriptName === undefined ? await unservedNow(plan, blob, configuration, terminal.env) : [];
  const refused = options.flag('dryRun') ? undefined : unservedFailure(unserved, OR_A_SCRIPT);
  if (refused) throw refused;
  await checkQueues(plan, configuration);
  const script =
    scriptName === undefined
      ? undefined
      : loadScript(pipeline, scriptName, brief.until === undefined ? plan : wholeBrief(pipeline, configuration, brief));
  const starter = options.flag('dryRun') ? {} : await starterHere({ options, terminal }, configuration);
  const id = options.text('id') ?? idOfBrief({ pipeline, compiled });
  const postMortem = options.flag('postMortem');
  if (postMortem) requirePostMortem(plan);
  return {
    configuration,
    pipeline,
    compiled,
    args: readRunArgs(plan, options.text('argsJson'), options.list('arg')),
    unserved,
    starter,
    ...defined({
      script,
      scheduled: scheduledIn(options.text('at'), plan),
      id: id === undefined ? undefined : runId(id, plan.name),
      recordIn,
      postMortem: postMortem || undefined,
    }),
  };
}

function scheduledIn(given: string | undefined, plan: Compiled['plan'] & object): ScheduledFor | undefined {
  if (given === undefined) return undefined;
  const at = readMoment(given, timezoneOf(plan));
  if (at === undefined)
    throw usage(`--at "${given}" is no moment`, `write it as in --at 2026-11-23T07:30; the time zone is ${timezoneOf(plan)}`);
  return scheduledFor(plan, {}, { at: new Date(at).toISOString() });
}

/** A script is written for the whole of a brief, also if only a plan is to be made. */
function wholeBrief(pipeline: PipelineFile, configuration: Configuration, { until: _, ...start }: BriefStart): Compiled['plan'] {
  const { plan } = compile(pipeline, { installation: compilerInstallation(configuration), brief: start });
  if (!plan) throw bug(`${pipeline.file} can be planned, and not run`);
  return plan;
}

function requirePostMortem({ name, finally: last }: Compiled['plan']): void {
  if (!last?.steps.some(isAlwaysLast))
    throw usage(`pipeline "${name}" has no post-mortem to ask for`, 'add `post_mortem: {when: asked}` to its file');
}
