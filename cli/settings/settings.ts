import { homedir } from 'node:os';
import { nameHost } from '../../records/locks/host-name';
import type { Invocation } from '../command';
import { type Configuration, loadConfiguration } from './configuration';

/** The configuration of this call: its flags, its environment, its folder. It names the host of this process. */
export function configurationOf({ options, terminal }: Pick<Invocation, 'options' | 'terminal'>): Configuration {
  const { cwd, env } = terminal;
  const configuration = loadConfiguration(options, { cwd, env, home: homedir(), platform: process.platform });
  nameHost(configuration.worktrees.value.host);
  return configuration;
}
