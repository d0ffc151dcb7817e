import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: Redact","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime.codec.Redact.md","filePath":"reference/api/types/svc-runtime.codec.Redact.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime.codec.Redact.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-redact" tabindex="-1">Type Alias: Redact <a class="header-anchor" href="#type-alias-redact" aria-label="Permalink to &quot;Type Alias: Redact&quot;">​</a></h1><blockquote><p><strong>Redact</strong> = (<code>value</code>) =&gt; <code>unknown</code></p></blockquote><p>A copy that hides what a type marks as sensitive.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>value</code></td><td><code>unknown</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>unknown</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime.codec.Redact.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_Redact = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_Redact as default
};
