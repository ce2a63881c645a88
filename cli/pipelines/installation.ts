import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Installation } from '../../compiler/installation';
import { installationOf as installationAt, type PlaceSettings } from '../../worker/installation';
import { leadsNowhere } from '../../worker/work-folder';
import type { Configuration } from '../settings/configuration';

/** The settings that the compiler needs: people, channels, prices of models, and adapters. */
export function compilerInstallation(configuration: Configuration): Installation {
  return {
    ...installationAt(placeSettings(configuration)),
    tools: configuration.toolSettings.value.own ?? [],
    roles: configuration.ownRoles.value,
    get today() {
      return new Date().toISOString().slice(0, 10);
    },
    hasFolder: (path) => [configuration.root, process.cwd()].some((from) => isFolder(resolve(from, path))),
    // Looked up only for triggers without a zone: it takes longer than compiling a small pipeline.
    get machineTimezone() {
      return Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
  };
}

/** The part of the settings that goes into plans, also for workers. */
export function placeSettings(configuration: Configuration): PlaceSettings {
  const { channels, directory, prices, adapters, models, toolServers, context, timezone } = configuration;
  return {
    channels: channels.value,
    directory: directory.value,
    prices: prices.value,
    adapters: adapters.value,
    models: models.value,
    toolServers: toolServers.value,
    context: context.value,
    timezone: timezone.value,
  };
}

/** A relative one starts where its worker was started: most likely in one of the two folders that are asked. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (!leadsNowhere(error)) throw error;
    return false;
  }
}
