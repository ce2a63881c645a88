import type { Sources } from '../../compiler/index';

/** A pipeline as somebody would write it, in memory. */
export interface WrittenPipeline {
  file: string;
  text: string;
  sources: Sources;
}

/**
 * The compiled pipelines, by name. Steps are counted wherever they are: in branches, loops and children.
 *
 * - `mixed`: agents, a review that sends back, a gate, a loop, branches, templates, references.
 * - `graph`: commands alone, each of which needs an earlier one.
 * - `children`: `mixed` pipelines of 1,000 steps each, and one that calls them.
 */
export const PIPELINES = { mixed, graph, children } satisfies Record<string, (steps: number) => WrittenPipeline>;

export type PipelineName = keyof typeof PIPELINES;

export function isPipelineName(name: string): name is PipelineName {
  return Object.hasOwn(PIPELINES, name);
}

const NO_FILES: Sources = { read: () => undefined, list: () => [] };
/** Steps of a `mixed` pipeline come in sevens with three more within them; those of `children` in files. */
const IN_GROUP = 10;
const IN_CHILD = 1000;

function mixed(steps: number, name = 'mixed'): WrittenPipeline {
  return { file: `${name}.yaml`, text: `name: ${name}\n${MIXED_HEAD}${times(steps / IN_GROUP, mixedGroup)}`, sources: NO_FILES };
}

const MIXED_HEAD = `args: {topic: {default: rain}}
agents: {writer: {role: Writes.}, reviewer: {role: Reviews.}}
schemas:
  Draft.json: {type: object, required: [title], properties: {title: {type: string}, words: {type: integer}}}
steps:
`;

function mixedGroup(n: number): string {
  const when = n === 0 ? '' : `when: $gate${n - 1}.approved, `;
  return `  - {id: list${n}, ${when}run: "list \${topic}", timeout: 30s}
  - {id: each${n}, for_each: $list${n}.json, max_concurrent: 4, steps: [{id: put${n}, run: "put \${item.name} \${index}"}]}
  - {id: draft${n}, agent: writer, prompt: "On \${topic}, from \${list${n}}.", output: Draft.json, retry: {max: 3, delay: 1s}}
  - id: both${n}
    parallel: {branches: [{id: left${n}, run: "left \${draft${n}.title}"}, {id: right${n}, agent: writer, prompt: "\${draft${n}}"}]}
  - {id: look${n}, type: review, agent: reviewer, of: draft${n}, on_revise: "retry(draft${n}, max=2)"}
  - {id: gate${n}, type: approval, prompt: "Publish \${draft${n}.title}?", show: [draft${n}], timeout: 24h, approvers: anyone}
  - {id: announce${n}, notify: {channel: "#news", message: "Out: \${draft${n}.title}"}}
`;
}

function graph(steps: number): WrittenPipeline {
  const first = '  - {id: s0, run: "true"}\n';
  const others = times(steps - 1, (n) => `  - {id: s${n + 1}, run: "true", needs: [s${Math.floor(n / 2)}]}\n`);
  return { file: 'graph.yaml', text: `name: graph\nsteps:\n${first}${others}`, sources: NO_FILES };
}

function children(steps: number): WrittenPipeline {
  const files = new Map<string, string>();
  const calls = times(steps / IN_CHILD, (n) => {
    const { file, text } = mixed(IN_CHILD, `part${n}`);
    files.set(file, text);
    return `  - {id: part${n}, pipeline: ${file}}\n`;
  });
  const sources: Sources = { read: (path) => files.get(path), list: () => [...files.keys()] };
  return { file: 'children.yaml', text: `name: children\nsteps:\n${calls}`, sources };
}

function times(count: number, write: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => write(n)).join('');
}
