import { servesNamespace } from '../../../cli/embedded/grpc-probe';
import { SEARCH_ATTRIBUTES } from '../../../plan/run/search-attributes';
import { quietPort } from '../../support/quiet-port';
import { Program } from './program';
import { until } from './until';

/** A Temporal server that a test starts itself, in memory. */
export interface DevServer {
  address: string;
  program: Program;
}

export interface DevServerOptions {
  /** The path of the Temporal CLI. */
  binary: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  /**
   * Namespaces in addition to `default`. Made at the start they cost nothing; one that is made later takes seconds before it can be used.
   */
  namespaces?: readonly string[];
  /** Dynamic configuration, as `name=value`. */
  dynamic?: readonly string[];
}

/** Resolves once it answers for each of its namespaces. */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  for (;;) {
    const port = await quietPort();
    const program = launch(options, port);
    const address = `127.0.0.1:${port}`;
    // Another program was quicker to take its port, or one of those that it chooses for itself.
    if (await answers(program, address, ['default', ...(options.namespaces ?? [])])) return { address, program };
  }
}

/** False if it has ended. */
async function answers(program: Program, address: string, namespaces: readonly string[]): Promise<boolean> {
  for (const namespace of namespaces) {
    await until('the server answers', async () => program.ended || (await servesNamespace(address, namespace)));
  }
  return !program.ended;
}

function launch({ binary, cwd, env, namespaces = [], dynamic = [] }: DevServerOptions, port: number): Program {
  const settings = ['history.transferProcessorMaxPollRPS=2000', ...dynamic];
  const args = [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--headless', '--log-level', 'error'],
    ...settings.flatMap((setting) => ['--dynamic-config-value', setting]),
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
    ...namespaces.flatMap((name) => ['--namespace', name]),
  ];
  return new Program(binary, args, { cwd, env });
}
