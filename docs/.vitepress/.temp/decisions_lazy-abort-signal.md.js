import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Lazy AbortSignal","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/lazy-abort-signal.md","filePath":"decisions/lazy-abort-signal.md"}');
const _sfc_main = { name: "decisions/lazy-abort-signal.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="lazy-abortsignal" tabindex="-1">Lazy AbortSignal <a class="header-anchor" href="#lazy-abortsignal" aria-label="Permalink to &quot;Lazy AbortSignal&quot;">​</a></h1><p>Handlers get an <code>AbortSignal</code>: it aborts when the client goes away, the deadline passes or the host stops. Making one per request is not free:</p><ul><li>an <code>AbortController</code> costs 2.3–3.4 µs to create;</li><li>with a <code>close</code> listener on the connection it costs 8.3 µs and 30 % of the throughput of a small request;</li><li><code>AbortSignal.timeout</code> adds a timer per request.</li></ul><p><strong>Chosen:</strong> a request has one <code>Cancellation</code>. It knows whether the request was given up and why; it makes an <code>AbortSignal</code> when <code>signal</code> is read for the first time. The listener for a closed connection is attached only while the command runs. Deadlines of one length pass in the order in which they began, so one timer serves them all.</p><p>Errors that are answers carry no stack (<code>new Error()</code> costs 4–9 µs), and the request context is passed as an argument: <code>AsyncLocalStorage</code> would add 2–4 µs.</p><p><strong>Price:</strong> code on the request path asks the cancellation, not a signal. Receptors, hooks and behaviors see an ordinary <code>AbortSignal</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/lazy-abort-signal.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const lazyAbortSignal = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  lazyAbortSignal as default
};
