import type { ServerSettings } from '../../client/connect';
import { defined } from '../../plan/defined';
import { readPlainFile } from '../../worker/source-file';
import { CommandFailure, EXIT } from '../exit';
import type { TlsFiles } from './temporal-settings';

/** TLS settings as the Temporal client and worker take them, certificates read. Fails naming the file that cannot be read. */
export function tlsOptions(files: TlsFiles): Exclude<NonNullable<ServerSettings['tls']>, boolean> {
  const certificate = pem(files.clientCertPath, files.clientCertData);
  const key = pem(files.clientKeyPath, files.clientKeyData);
  const authority = pem(files.serverCaPath, files.serverCaData);
  if ((certificate === undefined) !== (key === undefined)) {
    throw new CommandFailure(EXIT.usage, 'settings.invalid', 'TLS needs both a client certificate and its key', {
      hint: 'set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH, or neither',
    });
  }
  return {
    ...defined({
      serverNameOverride: files.serverName,
      serverRootCACertificate: authority,
      clientCertPair: certificate === undefined || key === undefined ? undefined : { crt: certificate, key },
    }),
  };
}

function pem(path: string | undefined, data: string | undefined): Buffer | undefined {
  if (data !== undefined) return Buffer.from(data);
  if (path === undefined) return undefined;
  try {
    return readPlainFile(path);
  } catch (error) {
    throw new CommandFailure(
      EXIT.usage,
      'settings.invalid',
      `TLS file ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
