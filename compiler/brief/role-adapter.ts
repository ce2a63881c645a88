import { CLI_PRESETS } from '../../plan/agents/adapter';
import type { BriefRole } from '../../plan/brief/brief';
import { covers, SHELL } from '../../plan/brief/category';
import { defined } from '../../plan/defined';
import type { Located, Report } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import type { Installation } from '../installation';
import { type BriefFlags, flagPlace } from './flags';
import type { BriefSource, RoleSource } from './read-brief';

/** Words for "a program, which `binary` names": openwar's, and that of agents' files. */
const PROGRAMS: readonly string[] = ['cli-bridge', 'cli'];
/** Services of openwar that are set up here by name. The other one is `openai` itself. */
const SERVICES: Readonly<Record<string, string>> = {
  gemini: 'https://generativelanguage.googleapis.com/v1beta/openai',
  grok: 'https://api.x.ai/v1',
};

export interface AdapterReading {
  source: BriefSource;
  authorized: readonly string[];
  installation: Installation;
  report: Report;
  /** What runs roles that name nothing. */
  flags?: Pick<BriefFlags, 'adapter' | 'model' | 'noShell'>;
}

/** How a role is run, in this version's words. Fields are absent if they are not written, or wrong, which is reported. */
export function runBy({ runBy: own }: Pick<RoleSource, 'runBy'>, reading: AdapterReading): Omit<BriefRole, 'id' | 'definition'> {
  const written = withUsual(own, reading);
  if (!written) return {};
  const { source, report } = reading;
  const { adapter, binary, model, tier, timeoutMs } = written;
  const isProgram = adapter !== undefined && PROGRAMS.includes(adapter.value);
  if (binary && !isProgram)
    report(
      'shape.missing-key',
      binary.at,
      '"binary" requires "adapter: cli-bridge"',
      adapter ? 'write `adapter: cli-bridge`, or remove `binary`' : 'add `adapter: cli-bridge`',
    );
  const named = isProgram ? programOf(adapter, binary ?? source.cli?.binary, reading) : adapter && serviceOf(adapter, reading);
  const shared = isProgram ? source.cli : undefined;
  return defined({ adapter: named, model: model?.value, tier: tier ?? shared?.tier, timeoutMs: timeoutMs ?? shared?.timeoutMs });
}

/** What runs one agent without a coordinator: what the flags say, else the program of `cli`. */
export function runAlone(reading: AdapterReading): Omit<BriefRole, 'id' | 'definition'> {
  const { source, flags: { adapter, model } = {} } = reading;
  const binary = source.cli?.binary;
  if (adapter !== undefined || !binary) return runBy({}, reading);
  const program = runBy({ runBy: { node: source.node, adapter: { value: 'cli', at: binary.at } } }, reading);
  return { ...program, ...defined({ model }) };
}

/** A model belongs to its adapter: that of the flags is not for a role with an adapter of its own. */
function withUsual(own: RoleSource['runBy'], { source, flags: { adapter, model } = {} }: AdapterReading): RoleSource['runBy'] {
  if (own?.adapter || (adapter === undefined && model === undefined)) return own;
  const usual = defined({
    adapter: adapter === undefined ? undefined : { value: adapter, at: flagPlace('--adapter', adapter) },
    model: model === undefined ? undefined : { value: model, at: flagPlace('--model', model) },
  });
  return { node: source.node, ...usual, ...own };
}

function programOf(adapter: Located<string>, binary: Located<string> | undefined, reading: AdapterReading): string | undefined {
  needsShell(adapter, reading);
  if (binary) return known(binary, binary.value, reading, 'other programs are set up under `adapters` of thermidor.yaml, with `kind: cli`');
  const hint = `add \`binary:\` with the program: ${CLI_PRESETS.join(', ')}, or a name from \`adapters\` of thermidor.yaml`;
  reading.report('shape.missing-key', adapter.at, `"adapter: ${adapter.value}" requires a "binary"`, hint);
  return undefined;
}

function serviceOf(adapter: Located<string>, reading: AdapterReading): string | undefined {
  const { value, at } = adapter;
  const { adapters = [] } = reading.installation;
  const isOwn = adapters.includes(value) && !(CLI_PRESETS as readonly string[]).includes(value);
  if (Object.hasOwn(SERVICES, value) && !isOwn) {
    const service = `for the service, set up an adapter of another name in thermidor.yaml: {kind: openai, base_url: "${SERVICES[value]}", key: …}`;
    const what =
      value === 'gemini' ? '`gemini` is the program here, and there is no service of that name' : `there is no service "${value}"`;
    const hint = value === 'gemini' ? `for the program write \`adapter: cli-bridge\` and \`binary: gemini\`; ${service}` : service;
    reading.report('brief.no-service', at, what, hint);
    return undefined;
  }
  if (value === 'mock') {
    reading.report('brief.no-service', at, 'there is no adapter "mock"', 'leave it out, and start the brief with `--script NAME`');
    return undefined;
  }
  if ((CLI_PRESETS as readonly string[]).includes(value)) needsShell(adapter, reading);
  const usual = value === 'openai-compat' && !isOwn ? 'openai' : value;
  return known(adapter, usual, reading, 'others are set up under `adapters` of thermidor.yaml');
}

function needsShell({ at }: Located<string>, { authorized, flags, report }: AdapterReading): void {
  if (authorized.some((entry) => covers(entry, SHELL))) return;
  const [why, hint] = flags?.noShell
    ? ['`--no-shell` takes "shell_exec" from the brief', 'leave out `--no-shell`, or name an adapter that starts no program']
    : ['the brief does not authorise "shell_exec"', 'add `shell_exec` to `authorized_costs`'];
  report('brief.needs-shell', at, `this starts a program, and ${why}`, hint);
}

function known({ at }: Located<string>, name: string, { installation, report }: AdapterReading, others: string): string | undefined {
  const { adapters } = installation;
  if (!adapters || adapters.includes(name)) return name;
  report('adapter.unknown', at, `there is no adapter "${name}"`, () =>
    didYouMean(name, adapters, `known: ${adapters.join(', ')}; ${others}`),
  );
  return undefined;
}
