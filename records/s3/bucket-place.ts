/** Where the content of a store is, if it is in a bucket. */
export interface BucketPlace {
  bucket: string;
  /** Empty, or ends in a slash. */
  prefix: string;
  /** The address of a store that is not Amazon's. */
  endpoint?: string;
  region?: string;
}

export const BUCKET_ADDRESS = 's3://bucket/prefix, for another store than Amazon’s with ?endpoint=https://…';

const PARAMETERS = ['endpoint', 'region'];

/** The place that an address names; undefined if it is none. Credentials are no part of it. */
export function bucketPlace(address: string): BucketPlace | undefined {
  if (!address.startsWith('s3://') || !URL.canParse(address)) return undefined;
  const { hostname: bucket, pathname, searchParams, username, password, port, hash } = new URL(address);
  const rest = `${username}${password}${port}${hash}`;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || rest !== '' || !/^[\w./-]*$/.test(pathname)) return undefined;
  if ([...searchParams.keys()].some((name) => !PARAMETERS.includes(name))) return undefined;
  const [endpoint, region] = PARAMETERS.map((name) => searchParams.get(name) ?? undefined);
  if (endpoint !== undefined && !isEndpoint(endpoint)) return undefined;
  const folders = pathname.split('/').filter((part) => part !== '');
  return {
    bucket,
    prefix: folders.map((part) => `${part}/`).join(''),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
  };
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** For people. */
export function shownBucket({ bucket, prefix, endpoint }: BucketPlace): string {
  return `s3://${bucket}/${prefix}${endpoint === undefined ? '' : ` at ${new URL(endpoint).host}`}`;
}
