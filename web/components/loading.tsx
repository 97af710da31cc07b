export function Loading({ what }: { what: string }) {
  return <p class="loading">Loading {what} …</p>;
}
