import { defined } from '../../plan/defined';
import type { StartablePipeline } from '../../plan/plan';
import type { CompileContext, CompiledChild } from '../compile-context';
import type { Located, Report } from '../diagnostics/diagnostic';
import type { LoadedAgent } from '../names/agent-definition';
import { besideFile, PIPELINE_LIMIT_BYTES, type Sources } from '../sources';

const TOOL = 'pipelines_start';
const ENDING = /\.(?:ya?ml|lobster)$/;

/**
 * The pipelines that an agent may start, frozen with it. A pipeline that is still being compiled is left without a plan, because no plan
 * contains itself: so a run starts neither its own pipeline nor, through others, one that it was started from.
 */
export function startablePipelines(agent: LoadedAgent, file: string, around: CompileContext): StartablePipeline[] | undefined {
  const { report } = around;
  const { id, at, pipelines, definition } = agent;
  const hasTool = definition?.tools?.includes(TOOL) === true;
  const [first] = pipelines ?? [];
  if (hasTool && !first)
    report('agent.starts-nothing', at, `agent "${id}" has "${TOOL}" and lists no pipelines`, 'add `pipelines: [NAME]`');
  if (first && definition && !hasTool)
    report(
      'agent.starts-nothing',
      first.at,
      `agent "${id}" lists pipelines and has no tool to start them`,
      `add "${TOOL}" to its \`tools\``,
    );
  const found = new Map<string, StartablePipeline>();
  for (const written of pipelines ?? []) {
    const one = startable(written, file, around);
    if (one && !found.has(one.name)) found.set(one.name, one);
  }
  return found.size > 0 ? [...found.values()] : undefined;
}

function startable(
  written: Located<string>,
  file: string,
  { include, isOpen, sources, report }: CompileContext,
): StartablePipeline | undefined {
  const path = pathOf(written.value, file, sources);
  if (isOpen(path)) return { name: written.value.replace(ENDING, '') };
  const child = include({ ...written, value: path });
  if (!child || !canStart(child, written, report)) return undefined;
  const { name, description, args } = child.plan;
  return { name, plan: child.planSha256, ...defined({ description, args }) };
}

/** The path of a pipeline by name, with `-` or `_` between its words. */
function pathOf(written: string, file: string, sources: Sources): string {
  if (ENDING.test(written)) return written;
  const stems = [written, written.replaceAll('_', '-')];
  const paths = stems.flatMap((stem) => [`${stem}.yaml`, `${stem}.yml`]);
  return paths.find((path) => sources.read(besideFile(file, path), PIPELINE_LIMIT_BYTES) !== undefined) ?? `${written}.yaml`;
}

/** Whether an agent may start a pipeline: what an agent says is never inserted as raw text, and an agent names no secrets. */
function canStart({ plan }: CompiledChild, { value, at }: Located<string>, report: Report): boolean {
  if (plan.dialect === 'lobster') {
    report(
      'agent.cannot-start',
      at,
      `"${value}" is a Lobster file, which puts args into commands as raw text`,
      'let a pipeline in YAML run it',
    );
    return false;
  }
  const secret = Object.entries(plan.args ?? {}).find(([, arg]) => arg.secret && arg.required);
  if (secret)
    report('agent.cannot-start', at, `"${value}" needs the secret arg "${secret[0]}", which no agent can give`, 'give that arg a default');
  return !secret;
}
