import type { ToolServerSpec } from '../../../plan/agents/adapter';
import { defined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import { bothMasks, type Mask, masker, withoutScheme } from '../../../plan/text/masker';
import { beginning } from '../../../plan/text/shortened';
import type { Secrets, ToolServer, ToolServers, ToolServerUse } from '../../ports';
import { proxyFor, type ServiceProxy } from '../http/proxy';
import { commandEnvironment } from '../processes/process-environment';
import type { TransportKind } from './connection';
import { SERVER_LIMITS, type ServerLimits } from './limits';
import { openServer } from './server';

const LOGGED_CHARACTERS = 500;

interface WayAround {
  cwd: string;
  around: Readonly<Record<string, string>>;
  log(line: string): void;
  mask: Mask;
  proxy: ServiceProxy | undefined;
}

/** Servers that speak the Model Context Protocol, over stdio or streamable HTTP. Each try gets its own. */
export class McpToolServers implements ToolServers {
  readonly names: readonly string[];
  private readonly limits: ServerLimits;

  constructor(
    private readonly specs: Readonly<Record<string, ToolServerSpec>>,
    private readonly secrets: Secrets,
    limits: Partial<ServerLimits> = {},
    private readonly worker: NodeJS.ProcessEnv = process.env,
  ) {
    this.names = Object.keys(specs);
    this.limits = { ...SERVER_LIMITS, ...limits };
  }

  async open(name: string, at: ToolServerUse, signal: AbortSignal): Promise<ToolServer> {
    const { command } = at;
    const set = Object.hasOwn(this.specs, name) ? this.specs[name] : undefined;
    const spec: ToolServerSpec | undefined = command ? { kind: 'stdio', command } : set;
    if (!spec) {
      const there = this.names.length === 0 ? 'thermidor.yaml lists none under "mcp"' : `there are: ${this.names.join(', ')}`;
      throw new ThermidorFailure('tool.failed', `this worker has no tool server "${name}"; ${there}`, { server: name });
    }
    const found: string[] = [];
    const resolved = await this.resolved(spec.kind === 'stdio' ? spec.env : spec.headers, found);
    const proxy = spec.kind === 'http' ? proxyFor(spec.url, this.worker, 'tool.failed') : undefined;
    if (proxy?.authorization !== undefined) found.push(...withoutScheme(proxy.authorization));
    const maskOwn = masker(found);
    const mask = at.mask ? bothMasks(at.mask, maskOwn) : maskOwn;
    const log = (message: string) => at.log(`tool server "${name}": ${beginning(mask(message), LOGGED_CHARACTERS)}`);
    const way = this.wayTo(spec, resolved, { cwd: at.cwd, around: at.env ?? {}, log, proxy, mask });
    return await openServer({ name, way, limits: this.limits, log, mask, ...defined({ only: at.only }) }, signal);
  }

  private wayTo(spec: ToolServerSpec, resolved: Record<string, string>, { cwd, around, log, mask, proxy }: WayAround): TransportKind {
    if (spec.kind === 'http') return { kind: 'http', url: spec.url, headers: resolved, ...defined({ proxy }) };
    const passed: Record<string, string> = {};
    for (const name of spec.passEnv ?? []) {
      const value = this.worker[name];
      if (value !== undefined) passed[name] = value;
    }
    return {
      kind: 'stdio',
      argv: spec.command,
      cwd,
      env: commandEnvironment(this.worker, { ...passed, ...resolved, ...around }),
      log,
      mask,
    };
  }

  /** Records in `found` which values were secrets. */
  private async resolved(values: Readonly<Record<string, string>> = {}, found: string[]): Promise<Record<string, string>> {
    const resolved: Record<string, string> = {};
    for (const [key, value] of Object.entries(values)) {
      const said = await this.secrets.resolve(value);
      if (said !== value) found.push(...withoutScheme(said));
      resolved[key] = said;
    }
    return resolved;
  }
}
