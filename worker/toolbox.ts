import { ArtifactFiles } from '../activities/adapters/artifact-files';
import { EnvironmentFiles } from '../activities/adapters/environment-files';
import { GateLinkFiles } from '../activities/adapters/gate-links';
import { FetchClient } from '../activities/adapters/http-client';
import { LedgerFiles } from '../activities/adapters/ledger-files';
import { layOut } from '../activities/adapters/named-files';
import { ConsoleChannel } from '../activities/adapters/notify-console';
import { DiscordChannel } from '../activities/adapters/notify-discord';
import { MailChannel } from '../activities/adapters/notify-mail';
import { SlackChannel } from '../activities/adapters/notify-slack';
import { WebhookChannel } from '../activities/adapters/notify-webhook';
import { GroupProcessRunner } from '../activities/adapters/process';
import { DirectorySeals } from '../activities/adapters/seals';
import { LocalSecrets } from '../activities/adapters/secrets';
import { serviceKey } from '../activities/adapters/service-key';
import { DiskTextFiles } from '../activities/adapters/text-files';
import type { Log, Toolbox } from '../activities/toolbox';
import type { SearchAttributeName } from '../plan/contract';
import { type Directory, NOBODY } from '../plan/people';
import type { ChannelSpec } from '../plan/plan';
import type { PriceTable } from '../plan/price';
import type { CallbackSpec, MailSpec } from '../plan/service';
import { createAdapters } from './adapters';
import { PipelineFiles } from './pipeline-files';

export interface ToolboxOptions {
  stateDir: string;
  pipelineDirs: readonly string[];
  channels: Readonly<Record<string, ChannelSpec>>;
  /** Who decides. @default nobody is known, and every name stands */
  directory?: Directory;
  /** @default no mail is sent */
  mail?: MailSpec;
  /** Of the listener: how its seals are checked, and where it can be reached. */
  callbacks?: CallbackSpec;
  /** @default no model's price is known */
  prices?: PriceTable;
  defaultAdapter: string;
  searchAttributes: readonly SearchAttributeName[];
  log: Log;
}

/** Joins the adapters to the ports. The one place that decides what a worker works with. */
export function createToolbox(options: ToolboxOptions): Toolbox {
  const { stateDir, pipelineDirs, channels, defaultAdapter, searchAttributes, log, callbacks } = options;
  const { directory = NOBODY, prices = { models: {} } } = options;
  const artifacts = new ArtifactFiles(stateDir);
  const adapters = createAdapters();
  const secrets = new LocalSecrets();
  const key = (): Promise<Buffer> => serviceKey(stateDir, secrets, callbacks?.secret);
  return {
    artifacts,
    ledger: new LedgerFiles(stateDir),
    pipelines: new PipelineFiles(pipelineDirs, { directory, channels: Object.keys(channels), prices }),
    processes: new GroupProcessRunner(),
    environments: new EnvironmentFiles(stateDir),
    secrets,
    http: new FetchClient(),
    files: new DiskTextFiles(),
    adapters: new Map(adapters.map((adapter) => [adapter.name, adapter])),
    defaultAdapter,
    channelAdapters: [
      new ConsoleChannel((text, fields) => log('info', text, fields)),
      new WebhookChannel(secrets),
      new DiscordChannel(secrets, directory),
      new SlackChannel(secrets, directory),
      new MailChannel(secrets, options.mail, directory),
    ],
    channels,
    links: new GateLinkFiles(stateDir, key),
    seals: new DirectorySeals(directory.people, secrets, key),
    ...(callbacks?.url === undefined ? {} : { callbackUrl: callbacks.url }),
    prices,
    searchAttributes,
    layOut: (ref, workflowId, address) => layOut(stateDir, artifacts, ref, workflowId, address),
    log,
  };
}
