/** Short enough for every file system, with what is put before and behind it. */
const maxLength = 60;

/** A name as part of a file's name. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, maxLength);
  return slug === '' ? 'unnamed' : slug;
}
