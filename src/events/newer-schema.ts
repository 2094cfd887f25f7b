/** Whether a name such as `mcp-proctor/journal/v2` is a later version of the one that is read here. */
export function isNewerSchema(found: string, own: string): boolean {
  const [name, version = ''] = found.split('/v');
  const [ownName, ownVersion = ''] = own.split('/v');
  return name === ownName && /^\d+$/.test(version) && Number(version) > Number(ownVersion);
}
