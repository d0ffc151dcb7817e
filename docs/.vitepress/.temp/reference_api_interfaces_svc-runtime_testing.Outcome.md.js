import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: Outcome<TResult>","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime_testing.Outcome.md","filePath":"reference/api/interfaces/svc-runtime_testing.Outcome.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime_testing.Outcome.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-outcome-tresult" tabindex="-1">Interface: Outcome&lt;TResult&gt; <a class="header-anchor" href="#interface-outcome-tresult" aria-label="Permalink to &quot;Interface: Outcome\\&lt;TResult\\&gt;&quot;">​</a></h1><h2 id="type-parameters" tabindex="-1">Type Parameters <a class="header-anchor" href="#type-parameters" aria-label="Permalink to &quot;Type Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Type Parameter</th></tr></thead><tbody><tr><td><a id="tresult"></a> <code>TResult</code></td></tr></tbody></table><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="emitted" tabindex="-1">emitted <a class="header-anchor" href="#emitted" aria-label="Permalink to &quot;emitted&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>emitted</strong>: readonly <a href="./svc-runtime.StoredEvent"><code>StoredEvent</code></a>&lt;<code>unknown</code>&gt;[]</p></blockquote><p>The system events that it emitted.</p><hr><h3 id="events" tabindex="-1">events <a class="header-anchor" href="#events" aria-label="Permalink to &quot;events&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>events</strong>: readonly <a href="./svc-runtime.StoredEvent"><code>StoredEvent</code></a>&lt;<code>unknown</code>&gt;[]</p></blockquote><p>The domain events that the command appended.</p><hr><h3 id="result" tabindex="-1">result <a class="header-anchor" href="#result" aria-label="Permalink to &quot;result&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>result</strong>: <code>TResult</code></p></blockquote></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime_testing.Outcome.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_testing_Outcome = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_testing_Outcome as default
};
