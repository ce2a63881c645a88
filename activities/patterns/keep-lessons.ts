import { defined, unlessEmpty } from '../../plan/defined';
import type { KeepLessonsInput, KeptFile, KeptLessons } from '../../plan/memory/post-mortem-activities';
import { MOST_MEMORY_BYTES } from '../../plan/memory/recall';
import { type Lesson, remember } from '../../plan/memory/remember';
import type { PostMortemReport } from '../../plan/patterns/post-mortem';
import { ThermidorFailure } from '../../plan/run/failure';
import { getJson } from '../../records/stored-json';
import { type ActivityCall, requireAddress } from '../activity-call';
import { withHeartbeat } from '../heartbeat';
import { once } from '../once';
import { loadRun, stepAt } from '../run/load-run';
import { publishOutput } from '../stored/publish-output';
import type { Toolbox } from '../toolbox';

/**
 * Writes the lessons of a post-mortem into memory, guidelines and the report's own file. Writing the same again changes nothing, so a
 * worker may die in between. A file that cannot be written is named in the report, and the others are written.
 *
 * Fails with `artifact.missing`, `output.too-large`, `store.unavailable`.
 */
export function keepLessons(toolbox: Toolbox, call: ActivityCall, input: KeepLessonsInput): Promise<KeptLessons> {
  return withHeartbeat(
    call,
    () => 0,
    () => keep(toolbox, call, input),
  );
}

function keep(toolbox: Toolbox, call: ActivityCall, { report: ref }: KeepLessonsInput): Promise<KeptLessons> {
  return once(toolbox, call, async () => {
    const step = stepAt(await loadRun(toolbox, call.key), requireAddress(call));
    const files = 'files' in step ? step.files : {};
    const report = await getJson<PostMortemReport>(toolbox.artifacts, ref, 'the report of a post-mortem');
    const about = { run: call.key.workflowId, runId: call.key.run, day: report.timestamp.slice(0, 10) };
    const kept: KeptFile[] = [];
    const add = async (as: 'memory' | 'guidelines', title: string, lessons: Lesson[], confirmed: string[]): Promise<void> => {
      const file = files[as];
      if (file === undefined || lessons.length + confirmed.length === 0) return;
      let told: Pick<KeptFile, 'added' | 'confirmed' | 'problems'> = {};
      const error = await whyNot(() =>
        toolbox.sharedFiles.edit(file, MOST_MEMORY_BYTES, (before) => {
          const { text, problems, ...counts } = remember(before, { ...about, lessons, confirmed }, title);
          told = { ...counts, ...(problems.length > 0 ? { problems: problems.slice(0, MOST_PROBLEMS) } : {}) };
          return text;
        }),
      );
      kept.push({ file, as, ...(error ? { error } : told) });
    };
    await add('memory', 'Team memory', lessonsOf(report), report.confirmed);
    await add(
      'guidelines',
      'Guidelines',
      report.improvement_actions.map((text) => ({ kind: 'improvement', text })),
      [],
    );
    const { write } = files;
    if (write !== undefined) {
      const text = `${JSON.stringify({ ...report, ...defined({ kept: unlessEmpty(kept) }) }, null, 2)}\n`;
      const error = await whyNot(() => toolbox.sharedFiles.edit(write, MOST_MEMORY_BYTES, () => text));
      kept.push({ file: write, as: 'write', ...defined({ error }) });
    }
    const whole = JSON.stringify({ ...report, ...defined({ kept: unlessEmpty(kept) }) }, null, 2);
    const artifact = await toolbox.artifacts.put(whole, { mediaType: 'application/json', name: REPORT_NAME });
    await publishOutput(toolbox, call.key.workflowId, requireAddress(call), artifact);
    return { artifact, kept };
  });
}

const REPORT_NAME = 'post-mortem.json';
/** The limit of problems in one file. */
const MOST_PROBLEMS = 10;

function lessonsOf({ reusable_patterns, root_causes }: PostMortemReport): Lesson[] {
  return [
    ...reusable_patterns.map((text): Lesson => ({ kind: 'pattern', text })),
    ...root_causes.map(({ cause, prevention }): Lesson => ({ kind: 'prevention', text: `${prevention} (${cause})` })),
  ];
}

async function whyNot(work: () => Promise<void>): Promise<KeptFile['error']> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof ThermidorFailure) || !OF_FILES.includes(error.code)) throw error;
    return { code: error.code, message: error.message };
  }
}

const OF_FILES: readonly string[] = ['memory.unusable', 'memory.too-large'];
