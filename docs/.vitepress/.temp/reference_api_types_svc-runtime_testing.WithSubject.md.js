import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: WithSubject<T>","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime_testing.WithSubject.md","filePath":"reference/api/types/svc-runtime_testing.WithSubject.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime_testing.WithSubject.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-withsubject-t" tabindex="-1">Type Alias: WithSubject&lt;T&gt; <a class="header-anchor" href="#type-alias-withsubject-t" aria-label="Permalink to &quot;Type Alias: WithSubject\\&lt;T\\&gt;&quot;">​</a></h1><blockquote><p><strong>WithSubject</strong>&lt;<code>T</code>&gt; = (<code>body</code>) =&gt; <code>Promise</code>&lt;<code>void</code>&gt;</p></blockquote><p>Provides a new subject to a rule.</p><h2 id="type-parameters" tabindex="-1">Type Parameters <a class="header-anchor" href="#type-parameters" aria-label="Permalink to &quot;Type Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Type Parameter</th></tr></thead><tbody><tr><td><a id="t"></a> <code>T</code></td></tr></tbody></table><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>body</code></td><td>(<code>subject</code>) =&gt; <code>Promise</code>&lt;<code>void</code>&gt;</td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>Promise</code>&lt;<code>void</code>&gt;</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime_testing.WithSubject.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_testing_WithSubject = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_testing_WithSubject as default
};
