export function Footer() {
  return (
    <footer class="bottom">
      <p>
        Averages of readings that people recorded themselves. They describe; they are not a medical
        assessment.
      </p>
      <p>
        <a href="docs">HTTP API</a>
        <a href="api/summary">Newest results as JSON</a>
      </p>
    </footer>
  );
}
