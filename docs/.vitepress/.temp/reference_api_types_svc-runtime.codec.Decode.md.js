import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: Decode<T>","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime.codec.Decode.md","filePath":"reference/api/types/svc-runtime.codec.Decode.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime.codec.Decode.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-decode-t" tabindex="-1">Type Alias: Decode&lt;T&gt; <a class="header-anchor" href="#type-alias-decode-t" aria-label="Permalink to &quot;Type Alias: Decode\\&lt;T\\&gt;&quot;">​</a></h1><blockquote><p><strong>Decode</strong>&lt;<code>T</code>&gt; = (<code>value</code>, <code>path</code>, <code>faults</code>) =&gt; <code>T</code></p></blockquote><p>Turns a JSON value into a new <code>T</code>, or adds every fault it finds.</p><h2 id="type-parameters" tabindex="-1">Type Parameters <a class="header-anchor" href="#type-parameters" aria-label="Permalink to &quot;Type Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Type Parameter</th></tr></thead><tbody><tr><td><a id="t"></a> <code>T</code></td></tr></tbody></table><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>value</code></td><td><code>unknown</code></td></tr><tr><td><code>path</code></td><td><code>string</code></td></tr><tr><td><code>faults</code></td><td><a href="./../interfaces/svc-runtime.codec.Fault"><code>Fault</code></a>[]</td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>T</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime.codec.Decode.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_Decode = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_Decode as default
};
