import type { ToolSettings } from '../../plan/agents/adapter';
import { redirectsGit } from '../../plan/agents/git-variables';
import { COST_CATEGORIES } from '../../plan/brief/category';
import type { ToolCosts } from '../../plan/brief/tool-categories';
import { defined } from '../../plan/defined';
import { variableNames } from './agent-programs';
import { named, oneOf, type Reader, record, refuse, texts } from './fields';

/** `tools: {fetch: {allow_private: [127.0.0.1:8080]}, run: {pass_env: [CI]}, own: [transfer], costs: {transfer: [paid_api_call]}}` */
export const tools: Reader<ToolSettings> = (value, name, problems) => {
  const read = record({ fetch: record({ allow_private: hosts }), run: record({ pass_env: harmless }), own: texts, costs })(
    value,
    name,
    problems,
  );
  return read && defined({ fetchPrivate: read.fetch?.allow_private, runPassEnv: read.run?.pass_env, own: read.own, costs: read.costs });
};

const category = oneOf(COST_CATEGORIES);

/** What calls of an application's own tools, and of servers' tools, need a brief's authorisation for. An empty list: for nothing. */
const costs: Reader<ToolCosts> = named((content, path, problems) =>
  [content].flat().flatMap((item: unknown) => category(item, path, problems) ?? []),
);

/** Hosts; an address that has brackets in a URL may be written without them. */
const hosts: Reader<string[]> = (value, name, problems) => {
  if (Array.isArray(value) && value.length === 0) return [];
  const read = texts(value, name, problems);
  for (const host of read ?? []) {
    if (isHost(host)) continue;
    refuse(
      problems,
      name,
      `"${name}" names "${host}", which is not a host`,
      'write it as 127.0.0.1:8080 or wiki.intern, without http:// and path',
    );
  }
  return read?.filter(isHost);
};

function isHost(text: string): boolean {
  const bare = /^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text) ? `[${text}]` : text;
  return !/[\s/@?#*\\]/.test(bare) && URL.canParse(`http://${bare}`);
}

const harmless: Reader<string[]> = (value, name, problems) => {
  const read = variableNames(value, name, problems);
  for (const variable of read ?? []) {
    if (redirectsGit(variable))
      refuse(problems, name, `"${name}" names ${variable}, which could redirect git out of the step's folder`, 'leave it out');
  }
  return read?.filter((variable) => !redirectsGit(variable));
};
