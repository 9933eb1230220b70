// Dark or light, before anything is painted; not a module, because modules run too late for that.
(() => {
  const root = document.documentElement;
  const stored = localStorage.getItem('theme');
  if (stored === 'dark' || stored === 'light') root.dataset.theme = stored;

  addEventListener('DOMContentLoaded', () => {
    const button = document.getElementById('theme');
    const dark = () =>
      root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    const say = () => button?.setAttribute('aria-pressed', String(dark()));
    button?.addEventListener('click', () => {
      root.dataset.theme = dark() ? 'light' : 'dark';
      localStorage.setItem('theme', root.dataset.theme);
      say();
    });
    say();
  });
})();
