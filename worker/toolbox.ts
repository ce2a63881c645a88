import { ArtifactFiles } from '../activities/adapters/artifact-files';
import { EnvironmentFiles } from '../activities/adapters/environment-files';
import { FetchClient } from '../activities/adapters/http-client';
import { LedgerFiles } from '../activities/adapters/ledger-files';
import { layOut } from '../activities/adapters/named-files';
import { ConsoleChannel } from '../activities/adapters/notify-console';
import { WebhookChannel } from '../activities/adapters/notify-webhook';
import { GroupProcessRunner } from '../activities/adapters/process';
import { LocalSecrets } from '../activities/adapters/secrets';
import { DiskTextFiles } from '../activities/adapters/text-files';
import type { Log, Toolbox } from '../activities/toolbox';
import type { SearchAttributeName } from '../plan/contract';
import type { ChannelSpec } from '../plan/plan';
import { createAdapters } from './adapters';
import { PipelineFiles } from './pipeline-files';

export interface ToolboxOptions {
  stateDir: string;
  pipelineDirs: readonly string[];
  channels: Readonly<Record<string, ChannelSpec>>;
  defaultAdapter: string;
  searchAttributes: readonly SearchAttributeName[];
  log: Log;
}

/** Joins the adapters to the ports. The one place that decides what a worker works with. */
export function createToolbox(options: ToolboxOptions): Toolbox {
  const { stateDir, pipelineDirs, channels, defaultAdapter, searchAttributes, log } = options;
  const artifacts = new ArtifactFiles(stateDir);
  const adapters = createAdapters();
  const secrets = new LocalSecrets();
  return {
    artifacts,
    ledger: new LedgerFiles(stateDir),
    pipelines: new PipelineFiles(pipelineDirs),
    processes: new GroupProcessRunner(),
    environments: new EnvironmentFiles(stateDir),
    secrets,
    http: new FetchClient(),
    files: new DiskTextFiles(),
    adapters: new Map(adapters.map((adapter) => [adapter.name, adapter])),
    defaultAdapter,
    channelAdapters: [new ConsoleChannel((text, fields) => log('info', text, fields)), new WebhookChannel(secrets)],
    channels,
    searchAttributes,
    layOut: (ref, workflowId, address) => layOut(stateDir, artifacts, ref, workflowId, address),
    log,
  };
}
